import type { Draft, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
import { LRUCache } from 'lru-cache';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { Periodic } from '@trifold/platform/service/periodic.ts';
import { destinationOf } from '../delivery/destination.ts';
import { EventSpool } from './event-spool.ts';
import { createOnce, SpoolReconciler, type SpoolReconcilerOptions } from './spool-reconciler.ts';
import { spoolOf, type SpoolAddress } from './spooled-event.ts';
import { BY_ACCOUNT, type Subscriptions } from '../events/subscriptions.ts';

export interface SpoolingOptions extends SpoolReconcilerOptions {
  readonly deliveries: Informer<WebhookDelivery>;
  readonly endpoints: Informer<WebhookEndpoint>;
  readonly subscriptions: Subscriptions;
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

const CONCURRENCY = 4;
/** Interval of the scan for orphaned spools. */
const DISCOVERY_MS = 60_000;

/** Number of deliveries that are known to need nothing more, so that a repeated call makes no request. */
const MOST_REMEMBERED = 10_000;

/**
 * Creates deliveries. Keeps events in the object store while too many deliveries to their destination are pending, and
 * has them delivered later.
 */
export class Spooling {
  readonly #options: SpoolingOptions;
  readonly #spool: EventSpool;
  readonly #discovery: Periodic;
  readonly #controller: Controller;
  /** Recent deliveries that exist, are spooled or have no endpoint, by key. */
  readonly #done = new LRUCache<string, true>({ max: MOST_REMEMBERED });

  constructor(options: SpoolingOptions) {
    const { store, clock, logger, endpoints, deliveries, shared } = options;
    this.#options = options;
    this.#spool = new EventSpool(store, (address) => this.#noteChange(address));
    this.#controller = new Controller({
      ...shared,
      name: 'webhook-spool',
      concurrency: CONCURRENCY,
      reconciler: new SpoolReconciler(this.#spool, options),
    })
      .watches(endpoints, ({ namespace }) => this.#ofAccount(namespace))
      .watches(deliveries, (key) => this.#refillable(key));
    this.#discovery = new Periodic({
      name: 'webhook-spools',
      intervalMs: DISCOVERY_MS,
      clock,
      logger,
      run: () => this.#discover(),
    });
  }

  /** Number of spooled events of all destinations. */
  get total(): number {
    return this.#spool.total;
  }

  /** Returns the number of spooled events of a destination; undefined while it is not backlogged. */
  countOf(destination: string): number | undefined {
    return this.#spool.isOpen(destination) ? this.#spool.countOf(destination) : undefined;
  }

  start(): void {
    this.#controller.start();
    this.#discovery.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all([this.#discovery.stop(), this.#controller.stop(graceMs)]);
  }

  /**
   * Resolves when each of these deliveries exists or is spooled, except those to deleted endpoints. Their names are
   * always the same, so that creating them again after a crash has no effect.
   */
  async deliver(drafts: readonly Draft<WebhookDelivery>[]): Promise<void> {
    await Promise.all(
      drafts.map(async (draft) => {
        const { namespace, name } = draft.metadata;
        const key = formatKey(namespace, name);
        if (this.#done.has(key) || this.#options.deliveries.get(namespace, name)) return;
        if ((await this.#options.subscriptions.endpointOf(draft)) !== 'deleted') await this.#create(draft);
        this.#done.set(key, true);
      }),
    );
  }

  /**
   * Creates the delivery, or spools it while too many are pending for its destination or events are spooled for it.
   * Drops a progress event that has to wait, because a later event supersedes it.
   */
  async #create(draft: Draft<WebhookDelivery>): Promise<void> {
    const { limits, pendingOf, metrics } = this.#options;
    const destination = destinationOf(draft);
    const { type } = draft.spec.event;
    if (!this.#spool.isOpen(destination) && pendingOf(destination) < limits.mostPending) {
      await createOnce(this.#options, draft);
    } else if (type === 'batch.progress') metrics.ended(type, 'superseded');
    else await this.#spool.put(draft);
  }

  /**
   * Deletes a delivery with `remove` once it cannot be created again; returns false when the caller has to try again.
   */
  outlive(delivery: WebhookDelivery, remove: () => Promise<void>): Promise<boolean> {
    return this.#spool.outlive(delivery, remove);
  }

  async #discover(): Promise<void> {
    await this.#spool.discover();
    for (const address of this.#spool.all()) this.#controller.enqueue(spoolRequest(address));
  }

  #noteChange(address: SpoolAddress): void {
    const { account, destination } = address;
    if (this.#hasRoom(destination)) this.#controller.enqueue(spoolRequest(address));
    const endpoint = this.#options.endpoints
      .byIndex(BY_ACCOUNT, account)
      .find(({ metadata }) => metadata.uid === destination);
    if (endpoint) this.#options.enqueueEndpoint({ namespace: account, name: endpoint.metadata.name });
  }

  #ofAccount(account: string | undefined): ObjectKey[] {
    return this.#spool
      .all()
      .filter((address) => address.account === account)
      .map(spoolRequest);
  }

  #refillable(key: ObjectKey): ObjectKey[] {
    const delivery = this.#options.deliveries.get(key.namespace, key.name);
    if (!delivery) return [];
    const address = spoolOf(delivery);
    const { destination } = address;
    return this.#spool.isOpen(destination) && this.#hasRoom(destination) ? [spoolRequest(address)] : [];
  }

  #hasRoom(destination: string): boolean {
    const { limits, pendingOf } = this.#options;
    return pendingOf(destination) < limits.refillBelow;
  }
}

/** Names a spool in reconcile requests. */
function spoolRequest({ account, destination }: SpoolAddress): ObjectKey {
  return { namespace: account, name: destination };
}
