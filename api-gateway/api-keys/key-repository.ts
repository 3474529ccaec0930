import { isResourceName, API_KEY, SCOPES, type ApiKey, type KeyMode, type Scope } from '@trifold/crds';
import { mintKey, type MintedKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Caller } from '../server/auth/caller.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { ObjectQuota } from '../server/quota/object-quota.ts';
import { newestEntries, type Placed } from '../server/pagination/page.ts';
import { viewOf, type KeyView, type NewKey } from './key-body.ts';

export interface KeyRepositoryOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  /** Cache that this gateway uses to verify keys; updated on every change. */
  readonly keys: KeyCache;
  /** Maximum number of keys per account; 0 means no limit. */
  readonly maxKeys: number;
}

/**
 * API keys as ApiKey resources, always read from the server, never from a cache. Every method rejects with ApiError for
 * caller errors and with KubernetesApiError otherwise.
 */
export class KeyRepository {
  readonly #resources: ResourceClient<ApiKey>;
  readonly #options: KeyRepositoryOptions;
  readonly #quota: ObjectQuota;

  constructor(options: KeyRepositoryOptions) {
    const { keys, maxKeys: most } = options;
    this.#options = options;
    this.#quota = new ObjectQuota({
      most,
      count: (account) => keys.count(account),
      noun: 'API keys',
      code: 'too_many_api_keys',
    });
    this.#resources = options.kubernetes.resource<ApiKey>(API_KEY);
  }

  /** Creates a key that grants no more than the caller's own. Once this resolves, the key is valid at this gateway. */
  async create(caller: Caller, body: NewKey): Promise<MintedKey> {
    const { kubernetes, clock, keys } = this.#options;
    const { name, description } = body;
    const request = {
      account: caller.account,
      name,
      ...grantTo(body, caller),
      ...(description !== undefined && { description }),
    };
    return this.#quota.withQuota(caller.account, async () => {
      const minted = await mintKey(kubernetes, request, clock.now());
      keys.written(minted.resource);
      return minted;
    });
  }

  async get(account: string, id: string): Promise<ApiKey> {
    const key = isResourceName(id) ? await this.#resources.find(account, id) : undefined;
    if (!key || key.metadata.deletionTimestamp !== undefined) throw keyNotFound(id);
    return key;
  }

  /**
   * Revokes a key. Once this resolves, the key no longer works here; other gateways reject it when they see the
   * deletion.
   */
  async revoke({ account, mode }: Caller, id: string): Promise<void> {
    const key = await this.get(account, id);
    if (mode === 'test' && key.spec.mode === 'live') throw liveKeyRequiredToRevoke(id);
    if (!(await this.#resources.deleteExactly(key))) throw keyNotFound(id);
    this.#options.keys.deleted(key);
  }

  /** Returns every key of an account, newest first. */
  async list(account: string): Promise<Placed<KeyView>[]> {
    return newestEntries((await this.#resources.list({ namespace: account })).items, viewOf);
  }
}

/** A leaked test key must not be able to block paid usage. */
function liveKeyRequiredToRevoke(id: string): ApiError {
  const message = `${id} is a live key, and a test key can revoke only test keys. Use a live key.`;
  return new ApiError('live_key_required', message);
}

function keyNotFound(id: string): ApiError {
  const message = `There is no API key ${JSON.stringify(id)} in this account. List the keys with GET /v1/api-keys.`;
  return new ApiError('api_key_not_found', message);
}

/**
 * Returns the permissions that a caller may grant a new key: never more than the caller's own key has. Throws ApiError
 * `scope_not_held` or `live_key_required`.
 */
function grantTo(body: NewKey, caller: Caller): { scopes: readonly Scope[]; mode: KeyMode } {
  const mode = body.type ?? caller.mode;
  if (mode === 'live' && caller.mode === 'test') throw liveKeyRequired();
  const scopes = body.scopes ?? SCOPES;
  const notHeld = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (notHeld.length > 0) throw scopeNotHeld(notHeld, body);
  return { scopes, mode };
}

function scopeNotHeld(notHeld: readonly Scope[], { scopes }: NewKey): ApiError {
  const list = notHeld.join(', ');
  if (scopes === undefined) {
    const message = `Because scopes is omitted, the new key would have all scopes, but the calling key lacks ${list}. Specify the scopes for the new key.`;
    const details = [{ path: '/scopes', message: `would include ${list} by default` }];
    return new ApiError('scope_not_held', message, { details });
  }
  const message = `A key can grant only its own scopes; the calling key lacks ${list}. Remove them, or use a key that has them.`;
  const details = notHeld.map((scope) => ({
    path: `/scopes/${scopes.indexOf(scope)}`,
    message: `cannot be granted: the calling key lacks ${scope}`,
  }));
  return new ApiError('scope_not_held', message, { details });
}

function liveKeyRequired(): ApiError {
  const message = 'A test key can create only test keys. Use a live key, or omit type.';
  return new ApiError('live_key_required', message, {
    details: [{ path: '/type', message: 'must be test, because the calling key is a test key' }],
  });
}
