import { WEBHOOK_DELIVERY, type WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { KubernetesClient, ListResult, ResourceClient } from '@trifold/platform/kubernetes/client.ts';
import { Informer } from '@trifold/platform/kubernetes/informer.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/resource-version.ts';
import type { Logger } from '@trifold/platform/logging.ts';
import { unavailable } from '../errors/api-error.ts';
import { newestFirst, type Placed } from '../lists/page.ts';
import { OwnWrites } from '../templates/own-writes.ts';
import type { DeliveryEntry } from './delivery-body.ts';
import { createdAtOf, deliveryEntryOf } from './delivery-view.ts';

/** A log that nobody reads is watched for so long. */
const IDLE_MS = 2 * 60_000;
/** Accounts that are watched at the same time; of more, those that were read longest ago are dropped. */
const MOST_ACCOUNTS = 100;
/** A watch is renewed this often, so that one which has silently ended is noticed well within STALE_AFTER_MS. */
const MAX_WATCH_MS = 4_000;
/** A cache that was not confirmed for this long is not shown. */
const STALE_AFTER_MS = 10_000;
/** How long the first list of an account may take. */
const FIRST_LIST_MS = 20_000;
/** How long a list waits for the watch to tell of what the server has already. */
const CATCH_UP_MS = 1_000;

/** The deliveries of one account, watched while somebody reads them. */
class AccountLog {
  readonly #account: string;
  readonly #client: ResourceClient<WebhookDelivery>;
  readonly #clock: Clock;
  readonly #informer: Informer<WebhookDelivery>;
  readonly #writes: OwnWrites;
  /** Newest first; dropped when something changes. */
  #sorted: readonly Placed<DeliveryEntry>[] | undefined;
  /** The latest version that the watch has told of. */
  #seen = '0';
  /** Ends the watch. */
  cancelIdle: () => void = () => undefined;

  constructor(account: string, kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    const client = kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
    this.#account = account;
    this.#client = client;
    this.#clock = clock;
    this.#informer = new Informer<WebhookDelivery>({
      client: {
        kind: client.kind,
        // At once, so that the pages of the first list are not all kept whole.
        list: async (options) => slimmed(await client.list(options)),
        watch: async (...request) => client.watch(...request),
      },
      selection: { namespace: account },
      transform: (delivery) => this.#taken(delivery),
      maxWatchMs: MAX_WATCH_MS,
      clock,
      logger,
    });
    this.#writes = new OwnWrites(this.#informer, clock);
    this.#informer.onChange(() => {
      this.#sorted = undefined;
    });
    this.#informer.start();
  }

  wrote({ metadata }: WebhookDelivery): void {
    this.#writes.add(metadata);
  }

  async list(): Promise<readonly Placed<DeliveryEntry>[]> {
    await this.#synced();
    const first = { namespace: this.#account, limit: 1 };
    const { items, remainingItemCount = 0, resourceVersion } = await this.#client.list(first);
    // Should it not come in time, the log is a moment behind.
    await this.#within(() => this.#isCurrent(items.length + remainingItemCount, resourceVersion));
    this.#sorted ??= placed(this.#informer.list());
    return this.#sorted;
  }

  async stop(): Promise<void> {
    this.cancelIdle();
    await this.#informer.stop();
  }

  async #synced(): Promise<void> {
    const ending = new AbortController();
    const tooLong = unavailable('The log of deliveries is being read. Try again in a moment.');
    const cancel = this.#clock.schedule(FIRST_LIST_MS, () => ending.abort(tooLong));
    try {
      await this.#informer.synced(ending.signal);
    } catch (error) {
      throw ending.signal.aborted ? tooLong : unavailable('The service is stopping.', undefined, error);
    } finally {
      cancel();
    }
    const confirmed = this.#informer.confirmedAt?.getTime() ?? 0;
    if (this.#clock.now().getTime() - confirmed > STALE_AFTER_MS) {
      throw unavailable('The API server is away. Try again in a moment.');
    }
  }

  #isCurrent(count: number, version: string): boolean {
    if (!this.#writes.areSeen(this.#account)) return false;
    return !isOlderVersion(this.#seen, version) || this.#informer.keys().length === count;
  }

  #taken(delivery: WebhookDelivery): WebhookDelivery {
    const { resourceVersion } = delivery.metadata;
    if (isOlderVersion(this.#seen, resourceVersion)) this.#seen = resourceVersion;
    return slim(delivery);
  }

  /** Resolves when the condition holds, or has not come to in time. */
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

/**
 * What lists show of deliveries. The API server lists the oldest first and cannot count what a filter leaves, so that
 * every page would read every delivery of the account; and a watch of all accounts would bring each gateway several
 * events a document that hardly anybody asks for. So an account is watched from the first time its log is read until
 * nobody has read it for two minutes.
 */
export class DeliveryLog {
  readonly #kubernetes: KubernetesClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** By account, the one that was read last at the end. */
  readonly #logs = new Map<string, AccountLog>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    this.#kubernetes = kubernetes;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Every delivery of an account, newest first. Rejects with ApiError `unavailable` and KubernetesApiError. */
  async list(account: string): Promise<readonly Placed<DeliveryEntry>[]> {
    return this.#read(account).list();
  }

  /** Notes what this gateway wrote: later lists show it. */
  wrote(delivery: WebhookDelivery): void {
    this.#logs.get(delivery.metadata.namespace ?? '')?.wrote(delivery);
  }

  async stop(): Promise<void> {
    const logs = [...this.#logs.values()];
    this.#logs.clear();
    await Promise.all(logs.map((log) => log.stop()));
  }

  #read(account: string): AccountLog {
    const log =
      this.#logs.get(account) ?? new AccountLog(account, this.#kubernetes, this.#clock, this.#logger);
    log.cancelIdle();
    log.cancelIdle = this.#clock.schedule(IDLE_MS, () => this.#drop(account));
    this.#logs.delete(account);
    this.#logs.set(account, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > MOST_ACCOUNTS && oldest !== undefined) this.#drop(oldest);
    return log;
  }

  #drop(account: string): void {
    void this.#logs.get(account)?.stop();
    this.#logs.delete(account);
  }
}

function placed(deliveries: readonly WebhookDelivery[]): Placed<DeliveryEntry>[] {
  return deliveries
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((delivery) => ({
      entry: deliveryEntryOf(delivery),
      position: { createdAt: createdAtOf(delivery).getTime(), id: delivery.metadata.name },
    }))
    .sort((left, right) => newestFirst(left.position, right.position));
}

function slimmed(page: ListResult<WebhookDelivery>): ListResult<WebhookDelivery> {
  return { ...page, items: page.items.map(slim) };
}

/** Without what the event and the answers say. */
function slim(delivery: WebhookDelivery): WebhookDelivery {
  const { event, ...spec } = delivery.spec;
  const { attempts: _attempts, conditions: _conditions, ...status } = delivery.status ?? {};
  return { ...delivery, spec: { ...spec, event: { ...event, payload: '' } }, status };
}
