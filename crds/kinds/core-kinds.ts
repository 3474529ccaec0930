import type { KindName } from '../schema/kind.ts';
import type { KubernetesObject } from '../schema/resource.ts';

/** A namespace with this label is an account; the value is the account's name, the same as the namespace's. */
export const ACCOUNT_LABEL = 'trifold.dev/account';

const CORE = { group: '', version: 'v1', namespaced: true } as const;

/** The built-in kind used for accounts. */
export const NAMESPACE: KindName = { ...CORE, kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** The built-in kind for non-secret configuration. */
export const CONFIG_MAP: KindName = { ...CORE, kind: 'ConfigMap', plural: 'configmaps' };

/** The built-in kind for secrets. */
export const SECRET: KindName = { ...CORE, kind: 'Secret', plural: 'secrets' };

/** core/v1 ConfigMap, with the fields that services read and write. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** core/v1 Secret, with the fields that services read and write. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Values as plain text; the server accepts them and returns `data`. */
  readonly stringData?: Readonly<Record<string, string>>;
}
