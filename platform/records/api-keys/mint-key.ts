import { API_KEY, newId, type ApiKey, type KeyMode, type Scope } from '@trifold/crds';
import type { KubernetesClient } from '../../kubernetes/client/client.ts';
import { apiKeySpecOf, generateKey } from './key-material.ts';

/** Properties of a new key. */
export interface KeyRequest {
  /** Namespace of the account. */
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
  readonly description?: string;
  /** A key chosen by the caller instead of a generated one. */
  readonly key?: string;
}

/** A new key, at the only time it can be shown. */
export interface MintedKey {
  readonly resource: ApiKey;
  readonly key: string;
}

/** Creates the ApiKey resource for a key; the resource contains only the hash. Rejects with KubernetesApiError. */
export async function mintKey(
  kubernetes: KubernetesClient,
  request: KeyRequest,
  now: Date,
): Promise<MintedKey> {
  const { account, name, scopes, mode, description } = request;
  const key = request.key ?? generateKey(mode);
  const spec = apiKeySpecOf(key, { name, scopes, ...(description !== undefined && { description }) });
  const metadata = { name: newId('key', now), namespace: account };
  const resource = await kubernetes.resource<ApiKey>(API_KEY).create({ metadata, spec });
  return { resource, key };
}
