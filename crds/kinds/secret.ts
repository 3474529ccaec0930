import type { KindName } from '../schema/kind.ts';
import type { KubernetesObject } from '../schema/resource.ts';

/** core/v1 Secret, as far as services read and write it. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Values as they are; the server takes them and answers `data`. */
  readonly stringData?: Readonly<Record<string, string>>;
}

/** The server's own kind that keeps secrets. */
export const SECRET: KindName = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};
