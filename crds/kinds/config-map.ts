import type { KindName } from '../schema/kind.ts';
import type { KubernetesObject } from '../schema/resource.ts';

/** core/v1 ConfigMap, with the members that services read and write. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The built-in kind of configuration that is not secret. */
export const CONFIG_MAP: KindName = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
