import { timingSafeEqual } from 'node:crypto';
import { ACCOUNT_LABEL, API_KEY, NAMESPACE, type ApiKey, type KubernetesObject } from '@trifold/crds';
import { hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { unavailable } from '../errors/api-error.ts';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { MAX_WATCH_MS, STALE_AFTER_MS } from '../fresh-list/fresh-list.ts';
import type { Caller } from './caller.ts';
import { KeyUses } from './key-uses.ts';

/**
 * Caches every key of every account, kept current by a watch. A key that another gateway revokes stops working when its
 * deletion event arrives.
 */
export class KeyCache {
  readonly #keys: Informer<ApiKey>;
  readonly #namespaces: Informer<KubernetesObject>;
  readonly #clock: Clock;
  readonly #uses: KeyUses;

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    const common = { clock, logger, maxWatchMs: MAX_WATCH_MS };
    this.#clock = clock;
    const client = kubernetes.resource<ApiKey>(API_KEY);
    this.#keys = new Informer({
      client,
      indexes: {
        sha256: (key: ApiKey) => [key.spec.sha256],
        account: (key: ApiKey) => [key.metadata.namespace ?? ''],
      },
      transform: cachedKey,
      ...common,
    });
    this.#namespaces = new Informer({
      client: kubernetes.builtin<KubernetesObject>(NAMESPACE),
      selection: { labelSelector: ACCOUNT_LABEL },
      ...common,
    });
    this.#uses = new KeyUses({ keys: this.#keys, client, clock, logger });
  }

  /** Resolves when every key is loaded. */
  async start(): Promise<void> {
    this.#keys.start();
    this.#namespaces.start();
    await Promise.all([this.#keys.synced(), this.#namespaces.synced()]);
  }

  async stop(): Promise<void> {
    await this.#uses.stop();
    await Promise.all([this.#keys.stop(), this.#namespaces.stop()]);
  }

  /** Whether the keys have been loaded; until then, no key can be verified. */
  get loaded(): boolean {
    return this.#keys.confirmedAt !== undefined && this.#namespaces.confirmedAt !== undefined;
  }

  /** Throws ApiError 503 before the keys are loaded: until then, no key may be treated as unknown. */
  requireLoaded(): void {
    if (this.loaded) return;
    throw unavailable('The service is starting and has not read the API keys yet. Try again in a moment.');
  }

  /** Returns the reason that the cached keys may be out of date, or undefined if they are current. */
  staleness(): string | undefined {
    const oldest = Math.min(this.#keys.confirmedAt ?? -Infinity, this.#namespaces.confirmedAt ?? -Infinity);
    if (oldest === -Infinity) return 'the API keys have not been read yet';
    const age = this.#clock.monotonicMs() - oldest;
    return age > STALE_AFTER_MS
      ? `the API keys were last confirmed ${Math.round(age / 1000)} s ago`
      : undefined;
  }

  /**
   * Returns the resource of a key; undefined if the key is unknown, revoked, or in a namespace that is not an account.
   */
  find(key: string): ApiKey | undefined {
    const hash = hashKey(key);
    const presented = Buffer.from(hash);
    let holder: ApiKey | undefined;
    for (const candidate of this.#keys.byIndex('sha256', hash)) {
      if (!this.#counts(candidate, presented)) continue;
      if (!holder || isOlder(candidate, holder)) holder = candidate;
    }
    return holder;
  }

  /** Returns a key by its name; undefined if it is unknown, revoked, or in a namespace that is not an account. */
  get(account: string, keyId: string): ApiKey | undefined {
    const key = this.#keys.get(account, keyId);
    return key && this.#isValid(key) ? key : undefined;
  }

  count(account: string): number {
    return this.#keys.countByIndex('account', account);
  }

  /** Returns the creation time of an account's namespace; undefined if it does not exist. */
  accountCreatedAt(account: string): Date | undefined {
    const namespace = this.#namespaces.get(undefined, account);
    return namespace && new Date(namespace.metadata.creationTimestamp);
  }

  /**
   * Returns the uid of an account's namespace, which is unique even if a namespace with the same name is created later;
   * undefined if it does not exist.
   */
  accountUid(account: string): string | undefined {
    return this.#namespaces.get(undefined, account)?.metadata.uid;
  }

  /** Records that the caller's key was used; the time is written within seconds. */
  used({ account, keyId }: Caller): void {
    this.#uses.note(account, keyId);
  }

  /** Adds or updates a key here, even if the watch does not show it yet. */
  written(key: ApiKey): void {
    this.#keys.mutated(key);
  }

  /** Makes a deleted key invalid here, even if the watch does not show the deletion yet. */
  deleted(key: ApiKey): void {
    this.#keys.deleted(key);
  }

  #counts(key: ApiKey, presented: Buffer): boolean {
    const kept = Buffer.from(key.spec.sha256);
    return kept.length === presented.length && timingSafeEqual(kept, presented) && this.#isValid(key);
  }

  #isValid(key: ApiKey): boolean {
    if (key.metadata.deletionTimestamp !== undefined) return false;
    const namespace = this.#namespaces.get(undefined, key.metadata.namespace ?? '');
    return namespace?.metadata.labels?.[ACCOUNT_LABEL] !== undefined;
  }
}

/** Keeps only the fields needed to verify a key. */
export function cachedKey({ metadata, spec, ...key }: ApiKey): ApiKey {
  const { description: _, ...kept } = spec;
  return { ...key, metadata: identityMetadata(metadata), spec: kept };
}

/** Copying a hash into another namespace must not take over a key: the key belongs to the oldest resource. */
function isOlder(left: ApiKey, right: ApiKey): boolean {
  const byTime = left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp);
  return byTime === 0 ? left.metadata.uid < right.metadata.uid : byTime < 0;
}
