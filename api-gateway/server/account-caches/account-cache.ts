import type { KubernetesObject } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ListOptions, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/client/resource-version.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { unavailable, type ApiError } from '../errors/api-error.ts';
import { firstBehind, newestFirst, type Placed } from '../pagination/page.ts';

/** Maximum watch duration, so that a watch that ended silently is noticed well within STALE_AFTER_MS. */
export const MAX_WATCH_MS = 4_000;
/** Maximum time since the cache was last confirmed; an older cache is not shown. */
const STALE_AFTER_MS = 10_000;
/** Timeout of the first list of an account. */
const FIRST_LIST_MS = 20_000;
/** Maximum time that a list waits for the watch to catch up with the server. */
const CATCH_UP_MS = 1_000;

/** The resources that a cache holds, and how lists show them. */
export interface CachedKind<R extends KubernetesObject, Entry> {
  readonly client: ResourceClient<R>;
  /** Name of the list in messages, such as `log of deliveries`. */
  readonly noun: string;
  /** Reduces a resource to the fields that `placed` needs. */
  readonly transform: (resource: R) => R;
  /** Returns the entry of a transformed resource and its position; undefined if lists do not show it. */
  readonly placed: (resource: R) => Placed<Entry> | undefined;
}

export interface AccountCacheOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each page of a list. */
  readonly onGrowth: () => void;
}

/** The resources of one kind in one account, watched from construction until `stop`. */
export class AccountCache<R extends KubernetesObject, Entry> {
  readonly #account: string;
  readonly #kind: CachedKind<R, Entry>;
  readonly #clock: Clock;
  readonly #onGrowth: () => void;
  readonly #informer: Informer<R>;
  /** Newest first; built on demand. */
  #sorted: Placed<Entry>[] | undefined;
  /** The entries of `#sorted` by the name of their resource. */
  readonly #shown = new Map<string, Placed<Entry>>();
  /** Resources that the first list has returned so far. */
  #listed = 0;
  #end: ApiError | undefined;

  constructor(account: string, kind: CachedKind<R, Entry>, { clock, logger, onGrowth }: AccountCacheOptions) {
    const { client, transform } = kind;
    this.#account = account;
    this.#kind = kind;
    this.#clock = clock;
    this.#onGrowth = onGrowth;
    this.#informer = new Informer<R>({
      client: {
        kind: client.kind,
        list: async (options) => this.#listPage(options),
        watch: async (...request) => client.watch(...request),
      },
      selection: { namespace: account },
      transform,
      maxWatchMs: MAX_WATCH_MS,
      clock,
      logger,
    });
    this.#informer.onChange((key) => this.#changed(key));
    this.#informer.start();
  }

  /** Number of resources in the cache. */
  get size(): number {
    return this.#informer.hasSynced ? this.#informer.size : this.#listed;
  }

  wrote(resource: R): void {
    this.#informer.mutated(resource);
  }

  /**
   * Returns the entries, newest first. Read the array at once, because later events change it. Rejects with ApiError
   * and KubernetesApiError.
   */
  async list(): Promise<readonly Placed<Entry>[]> {
    const { client, noun } = this.#kind;
    const list = { informer: this.#informer, client, noun, clock: this.#clock };
    try {
      await upToDate(list, this.#account, () => this.#informer.size);
    } catch (error) {
      throw this.#end ?? error;
    }
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  /** Callers that wait for the first list reject with `why`. */
  async stop(why: ApiError): Promise<void> {
    this.#end = why;
    await this.#informer.stop();
  }

  async #listPage(options: ListOptions = {}) {
    const page = await this.#kind.client.list(options);
    this.#listed = page.items.length + (options.continue === undefined ? 0 : this.#listed);
    this.#onGrowth();
    return page;
  }

  #sort(): Placed<Entry>[] {
    this.#shown.clear();
    for (const resource of this.#informer.list()) {
      const placed = this.#kind.placed(resource);
      if (placed) this.#shown.set(resource.metadata.name, placed);
    }
    return [...this.#shown.values()].sort((left, right) => newestFirst(left.position, right.position));
  }

  /** Moves one entry only: resources change often, and sorting the whole list is slow. */
  #changed({ namespace, name }: ObjectKey): void {
    if (!this.#sorted) return;
    const before = this.#shown.get(name);
    if (before) {
      this.#sorted.splice(firstBehind(this.#sorted, before.position) - 1, 1);
      this.#shown.delete(name);
    }
    const resource = this.#informer.get(namespace, name);
    const now = resource && this.#kind.placed(resource);
    if (!now) return;
    this.#sorted.splice(firstBehind(this.#sorted, now.position), 0, now);
    this.#shown.set(name, now);
  }
}

/** A list in memory, and what to compare it with. */
interface WatchedList<R extends KubernetesObject> {
  readonly informer: Informer<R>;
  readonly client: Pick<ResourceClient<R>, 'list'>;
  /** Name of the list in messages. */
  readonly noun: string;
  readonly clock: Clock;
}

/**
 * Waits until a list shows what the server has of the account. After CATCH_UP_MS, the list is slightly behind. Asks the
 * server only for the number of resources and their version. Rejects with ApiError `unavailable` and KubernetesApiError.
 */
export async function upToDate<R extends KubernetesObject>(
  { informer, client, noun, clock }: WatchedList<R>,
  account: string,
  size: () => number,
): Promise<void> {
  const onTimeout = () => {
    throw unavailable(`The ${noun} is being read. Try again in a moment.`);
  };
  await clock.withTimeout((signal) => informer.synced(signal), FIRST_LIST_MS, { onTimeout });
  if (clock.monotonicMs() - (informer.confirmedAt ?? -Infinity) > STALE_AFTER_MS) {
    throw unavailable('The API server is away. Try again in a moment.');
  }
  const {
    items,
    remainingItemCount = 0,
    resourceVersion,
  } = await client.list({ namespace: account, limit: 1 });
  const count = items.length + remainingItemCount;
  const isCurrent = () => !isOlderVersion(informer.version ?? '0', resourceVersion) || size() === count;
  if (isCurrent()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = informer.onChange(() => {
    if (isCurrent()) resolve();
  });
  const cancel = clock.schedule(CATCH_UP_MS, resolve);
  await promise;
  cancel();
  stopListening();
}
