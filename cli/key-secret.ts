import { SECRET, type Secret } from '@trifold/crds';
import type { MintedKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';

/** Where a key is to be kept. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** Names the ApiKey that a Secret holds the key of. */
const API_KEY_ANNOTATION = 'trifold.dev/api-key';

/** Whether there is a Secret of that name. */
export async function secretExists(kubernetes: KubernetesClient, where: SecretName): Promise<boolean> {
  return (await kubernetes.builtin<Secret>(SECRET).find(where.namespace, where.name)) !== undefined;
}

/** Whether the Secret holds this key; true also when that cannot be learned now. */
export async function mayHold(
  kubernetes: KubernetesClient,
  { namespace, name }: SecretName,
  { resource }: MintedKey,
): Promise<boolean> {
  try {
    const secret = await kubernetes.builtin<Secret>(SECRET).find(namespace, name);
    return secret?.metadata.annotations?.[API_KEY_ANNOTATION] === nameOf(resource);
  } catch {
    return true;
  }
}

function nameOf({ metadata: { namespace = '', name } }: MintedKey['resource']): string {
  return `${namespace}/${name}`;
}

/** Puts the key into a new Secret, under `key`. Rejects with reason `AlreadyExists` when there is one of that name. */
export async function storeInSecret(
  kubernetes: KubernetesClient,
  { namespace, name }: SecretName,
  { key, resource }: MintedKey,
): Promise<void> {
  await kubernetes.builtin<Secret>(SECRET).create({
    metadata: {
      namespace,
      name,
      labels: { 'app.kubernetes.io/managed-by': 'trifold' },
      annotations: { [API_KEY_ANNOTATION]: nameOf(resource) },
    },
    type: 'Opaque',
    stringData: { key },
  });
}
