import type { KubernetesObject } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ListOptions, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/client/resource-version.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { unavailable, type ApiError } from '../errors/api-error.ts';
import { firstBehind, newestFirst, type Placed } from '../pagination/page.ts';

/** Maximum watch duration. It ensures that a watch that ended silently is noticed well within STALE_AFTER_MS. */
export const MAX_WATCH_MS = 4_000;
/** Maximum time since a cache was last confirmed; an older cache is not shown. */
export const STALE_AFTER_MS = 10_000;
/** Timeout for the first list. */
const FIRST_LIST_MS = 20_000;
/** Maximum time a list waits for the watch to catch up with the server. */
const CATCH_UP_MS = 1_000;

/** The resources of a list and how the list shows them. */
export interface FreshListOptions<R extends KubernetesObject, Entry> {
  readonly client: ResourceClient<R>;
  /** Name of the list in messages, such as `delivery log`. */
  readonly noun: string;
  /** Reduces a resource to the fields that `placed` needs. */
  readonly transform: (resource: R) => R;
  /** Returns a transformed resource's entry and position; undefined if lists do not show it. */
  readonly placed: (resource: R) => Placed<Entry> | undefined;
  /** Maximum size of a resource's reduced form as JSON, in bytes. */
  readonly entryBytes: number;
  /** @default every account */
  readonly account?: string;
  /** Page size of reads. @default `Informer`'s */
  readonly pageSize?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each page is read. */
  readonly onGrowth?: () => void;
}

/** One account's list. */
interface SortedEntries<Entry> {
  /** Newest first. */
  readonly sorted: Placed<Entry>[];
  /** The same entries by resource name. */
  readonly byName: Map<string, Placed<Entry>>;
}

/**
 * The resources of one kind in one account or all accounts, watched from `start` until `stop`. A list shows every write
 * by this gateway and everything the server had at the time of the request, at the cost of reading one resource.
 */
export class FreshList<R extends KubernetesObject, Entry> {
  readonly #options: FreshListOptions<R, Entry>;
  readonly #informer: Informer<R>;
  /** By account; built on demand. */
  readonly #lists = new Map<string, SortedEntries<Entry>>();
  /** Resources returned by the first list so far. */
  #listed = 0;
  #end: ApiError | undefined;

  constructor(options: FreshListOptions<R, Entry>) {
    const { client, transform, account, pageSize, clock, logger } = options;
    this.#options = options;
    this.#informer = new Informer<R>({
      client: {
        kind: client.kind,
        list: async (listOptions) => this.#listPage(listOptions),
        watch: async (...request) => client.watch(...request),
      },
      ...(account === undefined
        ? { indexes: { account: ({ metadata }: R) => [metadata.namespace ?? ''] } }
        : { selection: { namespace: account } }),
      ...(pageSize !== undefined && { pageSize }),
      transform,
      maxWatchMs: MAX_WATCH_MS,
      clock,
      logger,
    });
    this.#informer.onChange((key) => this.#changed(key));
  }

  /** Starts reading; lists wait until everything is read. */
  start(): void {
    this.#informer.start();
  }

  /** Calls waiting for the first list reject with `why`. */
  async stop(why?: ApiError): Promise<void> {
    this.#end = why;
    await this.#informer.stop();
  }

  /** Upper bound for the size of the resources in memory as JSON, in bytes. */
  get bytes(): number {
    const resources = this.#informer.hasSynced ? this.#informer.size : this.#listed;
    return resources * this.#options.entryBytes;
  }

  /** Number of an account's resources in memory. */
  count(account: string): number {
    return this.#options.account === undefined
      ? this.#informer.countByIndex('account', account)
      : this.#informer.size;
  }

  /** Records a write by this gateway: later lists show it. */
  wrote(resource: R): void {
    this.#informer.mutated(resource);
  }

  /** Records a deletion by this gateway: later lists omit it. */
  deleted(resource: R): void {
    this.#informer.deleted(resource);
  }

  /**
   * Returns the entries of an account, newest first. Read the array synchronously: later events change it. Rejects
   * with ApiError `unavailable` and KubernetesApiError.
   */
  async list(account: string): Promise<readonly Placed<Entry>[]> {
    try {
      await this.#upToDate(account);
    } catch (error) {
      throw this.#end ?? error;
    }
    const list = this.#lists.get(account) ?? this.#sort(account);
    this.#lists.set(account, list);
    return list.sorted;
  }

  async #listPage(options: ListOptions = {}) {
    const page = await this.#options.client.list(options);
    this.#listed = page.items.length + (options.continue === undefined ? 0 : this.#listed);
    this.#options.onGrowth?.();
    return page;
  }

  #sort(account: string): SortedEntries<Entry> {
    const byName = new Map<string, Placed<Entry>>();
    const isShared = this.#options.account === undefined;
    for (const resource of isShared ? this.#informer.byIndex('account', account) : this.#informer.list()) {
      const placed = this.#options.placed(resource);
      if (placed) byName.set(resource.metadata.name, placed);
    }
    const sorted = [...byName.values()].sort((left, right) => newestFirst(left.position, right.position));
    return { sorted, byName };
  }

  /** Moves only one entry: resources change often, and sorting the whole list is slow. */
  #changed({ namespace = '', name }: ObjectKey): void {
    const list = this.#lists.get(namespace);
    if (!list) return;
    const { sorted, byName } = list;
    const before = byName.get(name);
    if (before) {
      sorted.splice(firstBehind(sorted, before.position) - 1, 1);
      byName.delete(name);
    }
    const resource = this.#informer.get(namespace, name);
    const now = resource && this.#options.placed(resource);
    if (!now) return;
    sorted.splice(firstBehind(sorted, now.position), 0, now);
    byName.set(name, now);
  }

  /**
   * Waits until the list shows what the server has for the account. After CATCH_UP_MS, the list may be slightly behind.
   * Requests only the number of resources and their version from the server.
   */
  async #upToDate(account: string): Promise<void> {
    const { client, noun, clock } = this.#options;
    const informer = this.#informer;
    const onTimeout = () => {
      throw unavailable(`The ${noun} is still loading. Try again in a moment.`);
    };
    await clock.withTimeout((signal) => informer.synced(signal), FIRST_LIST_MS, { onTimeout });
    if (clock.monotonicMs() - (informer.confirmedAt ?? -Infinity) > STALE_AFTER_MS) {
      throw unavailable('The API server is unavailable. Try again in a moment.');
    }
    const page = await client.list({ namespace: account, limit: 1 });
    const count = page.items.length + (page.remainingItemCount ?? 0);
    const isCurrent = () =>
      !isOlderVersion(informer.version ?? '0', page.resourceVersion) || this.count(account) === count;
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
}
