import { SECRET, type Secret } from '@trifold/crds';
import type { MintedKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';

/** Name of the Secret that stores a key. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** Annotation with the ApiKey whose key the Secret holds. */
const API_KEY_ANNOTATION = 'trifold.dev/api-key';

/** Whether a Secret of that name exists. */
export async function secretExists(kubernetes: KubernetesClient, where: SecretName): Promise<boolean> {
  return (await kubernetes.builtin<Secret>(SECRET).find(where.namespace, where.name)) !== undefined;
}

/** Whether the Secret holds this key; also true if that cannot be determined. */
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

/** Stores the key in a new Secret, under `key`. Rejects with reason `AlreadyExists` if a Secret of that name exists. */
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
