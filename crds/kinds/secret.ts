import type { KindName } from '../schema/kind.ts';
import type { KubernetesObject } from '../schema/resource.ts';

/** core/v1 Secret, with the members that services read and write. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Values as plain text; the server accepts them and returns `data`. */
  readonly stringData?: Readonly<Record<string, string>>;
}

/** The built-in kind of secrets. */
export const SECRET: KindName = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};
