import { timingSafeEqual } from 'node:crypto';
import { ACCOUNT_LABEL, API_KEY, NAMESPACE, type ApiKey, type KubernetesObject } from '@trifold/crds';
import { hashKey } from '@trifold/platform/api-keys/key-material.ts';
import type { Clock } from '@trifold/platform/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client.ts';
import { Informer } from '@trifold/platform/kubernetes/informer.ts';
import type { Logger } from '@trifold/platform/logging.ts';
import { callerOf, type Caller } from './caller.ts';

/** A watch is renewed this often, so that a silent one is noticed well within STALE_AFTER_MS. */
const MAX_WATCH_MS = 4_000;
/** A gateway that could not confirm its keys for this long is not ready. */
export const STALE_AFTER_MS = 10_000;

/** Every key of every account, kept current by a watch. A revoked key stops with the event of its deletion. */
export class KeyDirectory {
  readonly #keys: Informer<ApiKey>;
  readonly #namespaces: Informer<KubernetesObject>;
  readonly #clock: Clock;

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    const common = { clock, logger, maxWatchMs: MAX_WATCH_MS };
    this.#clock = clock;
    this.#keys = new Informer({
      client: kubernetes.resource<ApiKey>(API_KEY),
      indexes: { sha256: (key: ApiKey) => [key.spec.sha256] },
      ...common,
    });
    this.#namespaces = new Informer({
      client: kubernetes.builtin<KubernetesObject>(NAMESPACE),
      selection: { labelSelector: ACCOUNT_LABEL },
      ...common,
    });
  }

  /** Resolves once every key is known. */
  async start(): Promise<void> {
    this.#keys.start();
    this.#namespaces.start();
    await Promise.all([this.#keys.synced(), this.#namespaces.synced()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#keys.stop(), this.#namespaces.stop()]);
  }

  /** Whether the keys were ever read: before that no key can be judged. */
  get loaded(): boolean {
    return this.#keys.confirmedAt !== undefined && this.#namespaces.confirmedAt !== undefined;
  }

  /** Why the keys known here may be out of date. Undefined while they are current. */
  staleness(): string | undefined {
    const oldest = Math.min(
      this.#keys.confirmedAt?.getTime() ?? 0,
      this.#namespaces.confirmedAt?.getTime() ?? 0,
    );
    if (oldest === 0) return 'the API keys have not been read yet';
    const age = this.#clock.now().getTime() - oldest;
    return age > STALE_AFTER_MS
      ? `the API keys were last confirmed ${Math.round(age / 1000)} s ago`
      : undefined;
  }

  /** The holder of a key; undefined for a key that is unknown, revoked, or in a namespace that is no account. */
  find(key: string): Caller | undefined {
    const hash = hashKey(key);
    const presented = Buffer.from(hash);
    let holder: ApiKey | undefined;
    for (const candidate of this.#keys.byIndex('sha256', hash)) {
      if (!this.#counts(candidate, presented)) continue;
      if (!holder || isOlder(candidate, holder)) holder = candidate;
    }
    return holder && callerOf(holder);
  }

  #counts(key: ApiKey, presented: Buffer): boolean {
    const kept = Buffer.from(key.spec.sha256);
    if (kept.length !== presented.length || !timingSafeEqual(kept, presented)) return false;
    if (key.metadata.deletionTimestamp !== undefined) return false;
    const namespace = this.#namespaces.get(undefined, key.metadata.namespace ?? '');
    return namespace?.metadata.labels?.[ACCOUNT_LABEL] !== undefined;
  }
}

/** A hash copied into another namespace must not take a key over: the first resource keeps it. */
function isOlder(left: ApiKey, right: ApiKey): boolean {
  const byTime = left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp);
  return byTime === 0 ? left.metadata.uid < right.metadata.uid : byTime < 0;
}
