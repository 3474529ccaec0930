import { CONFIG_MAP, type ConfigMap } from '@trifold/crds';
import type { KubernetesClient } from '../../kubernetes/client/client.ts';
import type { ObjectKey } from '../../kubernetes/client/object-key.ts';
import { SealingKey } from './sealed-secret.ts';

/** Key of the ConfigMap entry that contains the public key. */
const PUBLIC_KEY = 'public-key';

/** The ConfigMap in which the controller publishes its public key. */
export type PublishedKeyName = Required<ObjectKey>;

/** Returns the published key; undefined until a controller has published one. Rejects with KubernetesApiError. */
export async function findPublishedKey(
  kubernetes: KubernetesClient,
  { namespace, name }: PublishedKeyName,
): Promise<SealingKey | undefined> {
  const found = await kubernetes.builtin<ConfigMap>(CONFIG_MAP).find(namespace, name);
  const text = found?.data?.[PUBLIC_KEY];
  return text === undefined ? undefined : SealingKey.parse(text);
}

/** Publishes the key unless it is already published. Rejects with KubernetesApiError. */
export async function publishKey(
  kubernetes: KubernetesClient,
  { namespace, name }: PublishedKeyName,
  { text }: SealingKey,
): Promise<void> {
  const configMaps = kubernetes.builtin<ConfigMap>(CONFIG_MAP);
  const data = { [PUBLIC_KEY]: text };
  const found = await configMaps.find(namespace, name);
  if (found?.data?.[PUBLIC_KEY] === text) return;
  if (found) await configMaps.replace({ ...found, data });
  else await configMaps.create({ metadata: { namespace, name }, data });
}
