import { timeOfId, WEBHOOK_DELIVERY, type WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type {
  KubernetesClient,
  ListOptions,
  ResourceClient,
} from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/client/resource-version.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { unavailable, type ApiError } from '../../server/errors/api-error.ts';
import { firstBehind, newestFirst, type Placed } from '../../server/pagination/page.ts';
import { createdAtOf } from './delivery-view.ts';
import { slimDelivery } from './slim-delivery.ts';

/** Maximum watch duration, so that a watch that ended silently is noticed well within STALE_AFTER_MS. */
const MAX_WATCH_MS = 4_000;
/** Maximum time since the cache was last confirmed; an older cache is not shown. */
const STALE_AFTER_MS = 10_000;
/** Timeout of the first list of an account. */
const FIRST_LIST_MS = 20_000;
/** Maximum time that a list waits for the watch to catch up with the server. */
const CATCH_UP_MS = 1_000;

export interface AccountLogOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each page of a list. */
  readonly onGrowth: () => void;
}

/** The deliveries of one account, watched from construction until `stop`. */
export class AccountLog {
  readonly #account: string;
  readonly #client: ResourceClient<WebhookDelivery>;
  readonly #clock: Clock;
  readonly #onGrowth: () => void;
  readonly #informer: Informer<WebhookDelivery>;
  /** Newest first; built on demand. */
  #sorted: Placed<WebhookDelivery>[] | undefined;
  /** Deliveries that the first list has returned so far. */
  #listed = 0;
  #end: ApiError | undefined;

  constructor(account: string, { kubernetes, clock, logger, onGrowth }: AccountLogOptions) {
    const client = kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
    this.#account = account;
    this.#client = client;
    this.#clock = clock;
    this.#onGrowth = onGrowth;
    this.#informer = new Informer<WebhookDelivery>({
      client: {
        kind: client.kind,
        list: async (options) => this.#listPage(options),
        watch: async (...request) => client.watch(...request),
      },
      selection: { namespace: account },
      transform: slimDelivery,
      maxWatchMs: MAX_WATCH_MS,
      clock,
      logger,
    });
    this.#informer.onChange((key) => this.#changed(key));
    this.#informer.start();
  }

  /** Number of deliveries in the cache. */
  get size(): number {
    return this.#informer.hasSynced ? this.#informer.size : this.#listed;
  }

  wrote(delivery: WebhookDelivery): void {
    this.#informer.mutated(delivery);
  }

  /**
   * Returns the slimmed deliveries, newest first. Read the array at once, because later events change it. Rejects with
   * ApiError and KubernetesApiError.
   */
  async list(): Promise<readonly Placed<WebhookDelivery>[]> {
    await this.#synced();
    const first = { namespace: this.#account, limit: 1 };
    const { items, remainingItemCount = 0, resourceVersion } = await this.#client.list(first);
    // On timeout, the log is slightly behind.
    await this.#within(() => this.#isCurrent(items.length + remainingItemCount, resourceVersion));
    this.#sorted ??= sorted(this.#informer.list());
    return this.#sorted;
  }

  /** Callers that wait for the first list reject with `why`. */
  async stop(why: ApiError): Promise<void> {
    this.#end = why;
    await this.#informer.stop();
  }

  /** Slims each page at once, so that a long list does not hold all full objects. */
  async #listPage(options: ListOptions = {}) {
    const page = await this.#client.list(options);
    this.#listed = page.items.length + (options.continue === undefined ? 0 : this.#listed);
    this.#onGrowth();
    return { ...page, items: page.items.map(slimDelivery) };
  }

  async #synced(): Promise<void> {
    const synced = (signal: AbortSignal) => this.#informer.synced(signal);
    const onTimeout = () => {
      throw unavailable('The log of deliveries is being read. Try again in a moment.');
    };
    try {
      await this.#clock.withTimeout(synced, FIRST_LIST_MS, { onTimeout });
    } catch (error) {
      throw this.#end ?? error;
    }
    const confirmed = this.#informer.confirmedAt ?? -Infinity;
    if (this.#clock.monotonicMs() - confirmed > STALE_AFTER_MS) {
      throw unavailable('The API server is away. Try again in a moment.');
    }
  }

  #isCurrent(count: number, version: string): boolean {
    return !isOlderVersion(this.#informer.version ?? '0', version) || this.#informer.size === count;
  }

  /** Moves one entry only: every attempt is a change, and sorting the whole list is slow. */
  #changed({ namespace, name }: ObjectKey): void {
    if (!this.#sorted) return;
    const createdAt = timeOfId(name)?.getTime();
    if (createdAt === undefined) {
      // The name has no time, so its old position is unknown.
      this.#sorted = undefined;
      return;
    }
    const behind = firstBehind(this.#sorted, { createdAt, id: name });
    const isThere = this.#sorted[behind - 1]?.position.id === name;
    const now = [this.#informer.get(namespace, name)].flatMap((delivery) =>
      delivery ? placed(delivery) : [],
    );
    this.#sorted.splice(isThere ? behind - 1 : behind, isThere ? 1 : 0, ...now);
  }

  /** Resolves when the condition holds or after CATCH_UP_MS. */
  async #within(condition: () => boolean): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopListening = this.#informer.onChange(() => {
      if (condition()) resolve();
    });
    const cancel = this.#clock.schedule(CATCH_UP_MS, resolve);
    await promise;
    cancel();
    stopListening();
  }
}

function sorted(deliveries: readonly WebhookDelivery[]): Placed<WebhookDelivery>[] {
  return deliveries.flatMap(placed).sort((left, right) => newestFirst(left.position, right.position));
}

/** Returns no entry for a delivery that is being deleted. */
function placed(delivery: WebhookDelivery): Placed<WebhookDelivery>[] {
  if (delivery.metadata.deletionTimestamp !== undefined) return [];
  const position = { createdAt: createdAtOf(delivery).getTime(), id: delivery.metadata.name };
  return [{ entry: delivery, position }];
}
