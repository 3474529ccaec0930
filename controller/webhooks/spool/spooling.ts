import {
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type Draft,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { Periodic } from '@trifold/platform/service/periodic.ts';
import type { SpoolLimits } from '../config.ts';
import { destinationOf } from '../delivery/destination.ts';
import { EventSpool } from './event-spool.ts';
import { SpoolReconciler } from './spool-reconciler.ts';
import { spoolOf, type SpoolAddress } from './spooled-event.ts';
import { BY_ACCOUNT } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface SpoolingOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'warn'>;
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
  readonly limits: SpoolLimits;
  readonly metrics: Pick<WebhookMetrics, 'ended' | 'expired'>;
  readonly endpoints: Informer<WebhookEndpoint>;
  readonly deliveries: Informer<WebhookDelivery>;
  /** Returns the number of pending deliveries to a destination. */
  readonly pendingOf: (destination: string) => number;
  /** Asks for a reconcile of the endpoint. */
  readonly enqueueEndpoint: (key: ObjectKey) => void;
}

const CONCURRENCY = 4;
/** Interval of the scan for orphaned spools. */
const DISCOVERY_MS = 60_000;

/**
 * Keeps events in the object store while too many deliveries to their destination are pending, and has them delivered
 * later.
 */
export class Spooling {
  readonly #options: SpoolingOptions;
  readonly #spool: EventSpool;
  readonly #discovery: Periodic;
  readonly #controller: Controller;

  constructor(options: SpoolingOptions) {
    const { kubernetes, store, clock, logger, endpoints, deliveries, limits, shared } = options;
    this.#options = options;
    this.#spool = new EventSpool({ store, onChange: (address) => this.#noteChange(address) });
    const reconciler = new SpoolReconciler({
      spool: this.#spool,
      store,
      deliveries: kubernetes.resource(WEBHOOK_DELIVERY),
      endpoints: kubernetes.resource(WEBHOOK_ENDPOINT),
      cache: endpoints,
      pendingOf: options.pendingOf,
      limits,
      onCreated: (delivery) => deliveries.mutated(delivery),
      onClosed: ({ metadata: { namespace = 'default', name } }) =>
        options.enqueueEndpoint({ namespace, name }),
      clock,
      logger,
      events: options.events,
      metrics: options.metrics,
    });
    this.#controller = new Controller({
      ...shared,
      name: 'webhook-spool',
      concurrency: CONCURRENCY,
      reconciler,
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

  /** Whether the delivery has to wait: too many are pending for its destination, or events are spooled for it. */
  isBacklogged(draft: Draft<WebhookDelivery>): boolean {
    const { deliveries, limits, pendingOf } = this.#options;
    if (deliveries.get(draft.metadata.namespace, draft.metadata.name)) return false;
    const destination = destinationOf(draft);
    return this.#spool.isOpen(destination) || pendingOf(destination) >= limits.mostPending;
  }

  /** Spools the delivery until its turn comes. Drops progress events, because a later event supersedes them. */
  async keep(draft: Draft<WebhookDelivery>): Promise<void> {
    const { type } = draft.spec.event;
    if (type === 'batch.progress') this.#options.metrics.ended(type, 'superseded');
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
    for (const { account, destination } of this.#spool.all()) {
      this.#controller.enqueue({ namespace: account, name: destination });
    }
  }

  #noteChange({ account, destination }: SpoolAddress): void {
    if (this.#hasRoom(destination)) this.#controller.enqueue({ namespace: account, name: destination });
    const endpoint = this.#options.endpoints
      .byIndex(BY_ACCOUNT, account)
      .find(({ metadata }) => metadata.uid === destination);
    if (endpoint) this.#options.enqueueEndpoint({ namespace: account, name: endpoint.metadata.name });
  }

  #ofAccount(account: string | undefined): ObjectKey[] {
    return this.#spool
      .all()
      .filter((address) => address.account === account)
      .map(({ account: namespace, destination: name }) => ({ namespace, name }));
  }

  #refillable(key: ObjectKey): ObjectKey[] {
    const delivery = this.#options.deliveries.get(key.namespace, key.name);
    if (!delivery) return [];
    const { account: namespace, destination: name } = spoolOf(delivery);
    return this.#spool.isOpen(name) && this.#hasRoom(name) ? [{ namespace, name }] : [];
  }

  #hasRoom(destination: string): boolean {
    const { limits, pendingOf } = this.#options;
    return pendingOf(destination) < limits.refillBelow;
  }
}
