import {
  NAMESPACE,
  SECRET,
  WEBHOOK_ENDPOINT,
  WEBHOOK_SECRET_KEY,
  WEBHOOK_SECRET_TYPE,
  type KubernetesObject,
  type Secret,
  type WebhookEndpoint,
  type WebhookEndpointSpec,
} from '@trifold/crds';
import { isApiError } from '../../kubernetes/client/api-error.ts';
import type { KubernetesClient } from '../../kubernetes/client/client.ts';
import { TrifoldError } from '../../service/trifold-error.ts';
import type { SealingKey } from './sealed-secret.ts';

/** Endpoints of earlier releases, by what became of them: `namespace/name`. */
export interface SealedEndpoints {
  readonly sealed: readonly string[];
  /** Their Secret is missing or has another type. */
  readonly withoutSecret: readonly string[];
}

/**
 * Seals the secrets of endpoints that only name a Secret. Changes no Secret, so that a rollback to the earlier release
 * finds them. Safe to repeat and to run concurrently. Rejects with KubernetesApiError, and with TrifoldError
 * `definition_outdated` when the API server drops the sealed secret.
 */
export async function sealEndpoints(kubernetes: KubernetesClient, key: SealingKey): Promise<SealedEndpoints> {
  const sealed: string[] = [];
  const withoutSecret: string[] = [];
  const { items } = await kubernetes.resource<WebhookEndpoint>(WEBHOOK_ENDPOINT).list();
  for (const endpoint of items) {
    const { namespace = '', name } = endpoint.metadata;
    if (endpoint.spec.sealedSecret) continue;
    const isSealed = await sealEndpoint(kubernetes, key, endpoint);
    (isSealed ? sealed : withoutSecret).push(`${namespace}/${name}`);
  }
  return { sealed, withoutSecret };
}

/** Returns whether the endpoint is sealed, deleted, or changed by somebody who sealed it. */
async function sealEndpoint(
  kubernetes: KubernetesClient,
  key: SealingKey,
  endpoint: WebhookEndpoint,
): Promise<boolean> {
  const endpoints = kubernetes.resource<WebhookEndpoint>(WEBHOOK_ENDPOINT);
  const { namespace = '', name } = endpoint.metadata;
  const spec = await sealedSpec(kubernetes, key, endpoint);
  if (!spec) return false;
  try {
    const written = await endpoints.replace({ ...endpoint, spec });
    if (written.spec.sealedSecret) return true;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return true;
    if (!isApiError(error, 'Conflict')) throw error;
    const current = await endpoints.find(namespace, name);
    return !current || current.spec.sealedSecret !== undefined || sealEndpoint(kubernetes, key, current);
  }
  const message = 'the API server drops sealedSecret: upgrade the definition of WebhookEndpoint first';
  throw new TrifoldError('definition_outdated', message);
}

async function sealedSpec(
  kubernetes: KubernetesClient,
  key: SealingKey,
  { metadata: { namespace = '', name: endpoint }, spec }: WebhookEndpoint,
): Promise<WebhookEndpointSpec | undefined> {
  const { secretRef, previousSecretRef: before } = spec;
  const namespaces = kubernetes.builtin<KubernetesObject>(NAMESPACE);
  const { uid: accountUid } = (await namespaces.get(undefined, namespace)).metadata;
  const seal = async (ref: { readonly name: string } | undefined) => {
    const secret = ref && (await secretText(kubernetes, namespace, ref.name));
    return secret === undefined ? undefined : key.seal(secret, { accountUid, endpoint });
  };
  const [sealedSecret, previous] = [await seal(secretRef), await seal(before)];
  if (!sealedSecret) return undefined;
  return {
    ...spec,
    sealedSecret,
    ...(previous && before && { previousSealedSecret: { ...previous, until: before.until } }),
  };
}

async function secretText(
  kubernetes: KubernetesClient,
  namespace: string,
  name: string,
): Promise<string | undefined> {
  const found = await kubernetes.builtin<Secret>(SECRET).find(namespace, name);
  const encoded = found?.type === WEBHOOK_SECRET_TYPE ? found.data?.[WEBHOOK_SECRET_KEY] : undefined;
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64').toString();
}
