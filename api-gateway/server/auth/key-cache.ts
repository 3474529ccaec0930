import { timingSafeEqual } from 'node:crypto';
import { ACCOUNT_LABEL, API_KEY, NAMESPACE, type ApiKey, type KubernetesObject } from '@trifold/crds';
import { hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { callerOf, type Caller } from './caller.ts';
import { KeyUses } from './key-uses.ts';

/** A watch is renewed this often, so that a silent one is noticed well within STALE_AFTER_MS. */
const MAX_WATCH_MS = 4_000;
/** A gateway that could not confirm its keys for this long is not ready. */
export const STALE_AFTER_MS = 10_000;
/** How long a change that this gateway made may take to come back by the watch, before it is answered all the same. */
const SEEN_WITHIN_MS = 1_000;

/** Every key of every account, kept current by a watch. A revoked key stops with the event of its deletion. */
export class KeyCache {
  readonly #keys: Informer<ApiKey>;
  readonly #namespaces: Informer<KubernetesObject>;
  readonly #clock: Clock;
  readonly #uses: KeyUses;
  /** uids of keys that were deleted here before the watch told so; what it may still tell of them is older. */
  readonly #deleted = new Set<string>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    const common = { clock, logger, maxWatchMs: MAX_WATCH_MS };
    this.#clock = clock;
    const client = kubernetes.resource<ApiKey>(API_KEY);
    this.#keys = new Informer({
      client,
      indexes: { sha256: (key: ApiKey) => [key.spec.sha256] },
      ...common,
    });
    this.#namespaces = new Informer({
      client: kubernetes.builtin<KubernetesObject>(NAMESPACE),
      selection: { labelSelector: ACCOUNT_LABEL },
      ...common,
    });
    this.#uses = new KeyUses({ keys: this.#keys, client, clock, logger });
  }

  /** Resolves once every key is known. */
  async start(): Promise<void> {
    this.#keys.start();
    this.#namespaces.start();
    await Promise.all([this.#keys.synced(), this.#namespaces.synced()]);
  }

  async stop(): Promise<void> {
    await this.#uses.stop();
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

  /** When the namespace of an account was made; undefined when there is none of that name. */
  accountCreatedAt(account: string): Date | undefined {
    const namespace = this.#namespaces.get(undefined, account);
    return namespace && new Date(namespace.metadata.creationTimestamp);
  }

  /** uid of the namespace of an account, which no other of the same name ever has; undefined when there is none now. */
  accountUid(account: string): string | undefined {
    return this.#namespaces.get(undefined, account)?.metadata.uid;
  }

  /** Notes that the caller's key was used; when, is written down within seconds. */
  used({ account, keyId }: Caller): void {
    this.#uses.note(account, keyId);
  }

  /** Resolves when a key that was just made counts here; when the watch does not tell of it, after a second. */
  async knows({ metadata: { namespace, name, uid } }: ApiKey): Promise<void> {
    await this.#within(() => this.#keys.get(namespace, name)?.metadata.uid === uid);
  }

  /** Resolves when a key that was deleted counts here no more, whether or not the watch tells of it. */
  async forgets({ metadata: { namespace, name, uid } }: ApiKey): Promise<void> {
    const isGone = () => {
      const known = this.#keys.get(namespace, name)?.metadata;
      return known?.uid !== uid || known.deletionTimestamp !== undefined;
    };
    if (await this.#within(isGone)) return;
    this.#deleted.add(uid);
    this.#keys.forget(namespace, name);
  }

  /** Whether the condition holds now, or does after a change that comes in time. */
  async #within(condition: () => boolean): Promise<boolean> {
    if (condition()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stopListening = this.#keys.onChange(() => {
      if (condition()) resolve(true);
    });
    const cancel = this.#clock.schedule(SEEN_WITHIN_MS, () => resolve(false));
    try {
      return await promise;
    } finally {
      cancel();
      stopListening();
    }
  }

  #counts(key: ApiKey, presented: Buffer): boolean {
    const kept = Buffer.from(key.spec.sha256);
    if (kept.length !== presented.length || !timingSafeEqual(kept, presented)) return false;
    if (key.metadata.deletionTimestamp !== undefined || this.#deleted.has(key.metadata.uid)) return false;
    const namespace = this.#namespaces.get(undefined, key.metadata.namespace ?? '');
    return namespace?.metadata.labels?.[ACCOUNT_LABEL] !== undefined;
  }
}

/** A hash copied into another namespace must not take a key over: the first resource keeps it. */
function isOlder(left: ApiKey, right: ApiKey): boolean {
  const byTime = left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp);
  return byTime === 0 ? left.metadata.uid < right.metadata.uid : byTime < 0;
}
