import type { Draft, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { SpoolLimits } from '../config.ts';
import type { EventSpool } from './event-spool.ts';
import { isOfCallbacks } from '../delivery/destination.ts';
import { decodeSpooled, endOfMinute, spoolPrefix, type SpoolAddress } from './spooled-event.ts';
import { BY_ACCOUNT } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface SpoolReconcilerOptions {
  readonly store: ObjectStore;
  readonly deliveryClient: Pick<ResourceClient<WebhookDelivery>, 'create'>;
  readonly endpointClient: Pick<ResourceClient<WebhookEndpoint>, 'list'>;
  /** Shows each created delivery before a watch reports it. */
  readonly deliveries: Pick<Informer<WebhookDelivery>, 'mutated'>;
  readonly endpoints: Pick<Informer<WebhookEndpoint>, 'byIndex'>;
  /** Returns the number of pending deliveries to a destination. */
  readonly pendingOf: (destination: string) => number;
  /** Asks for a reconcile of the endpoint. */
  readonly enqueueEndpoint: (key: ObjectKey) => void;
  readonly limits: SpoolLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'warn'>;
  readonly metrics: Pick<WebhookMetrics, 'ended' | 'expired'>;
}

/** Interval at which an open spool is checked, regardless of notifications. */
const RECHECK_MS = 10_000;
const TAKEN_AT_ONCE = 8;

/**
 * Creates deliveries from the spooled events of a destination, oldest first, as soon as few enough are pending. The
 * request names account and destination. A delivery is created before its event is deleted, and is never deleted before
 * its event: so a crash in between loses nothing and creates nothing twice.
 */
export class SpoolReconciler implements Reconciler {
  readonly #spool: EventSpool;
  readonly #d: SpoolReconcilerOptions;
  /** Keys of events from which no delivery can be created. */
  readonly #unusable = new Set<string>();

  constructor(spool: EventSpool, options: SpoolReconcilerOptions) {
    this.#spool = spool;
    this.#d = options;
  }

  async reconcile(
    { namespace: account = '', name: destination }: ObjectKey,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    if (!this.#spool.isOpen(destination)) return;
    const address = { account, destination };
    const isCallbacks = isOfCallbacks(destination);
    const endpoint = isCallbacks ? undefined : await this.#endpointOf(address, signal);
    if (endpoint || isCallbacks) await this.#pursue(address, endpoint, signal);
    else await this.#cancel(address);
    if (this.#spool.isOpen(destination)) return { requeueAfterMs: RECHECK_MS };
    // The condition Backlogged of the endpoint must become False.
    if (endpoint) this.#d.enqueueEndpoint({ namespace: account, name: endpoint.metadata.name });
  }

  async #pursue(
    address: SpoolAddress,
    endpoint: WebhookEndpoint | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { pendingOf, limits } = this.#d;
    await this.#spool.count(address);
    await this.#deleteExpired(address, endpoint);
    if (pendingOf(address.destination) >= limits.refillBelow) return;
    while (!signal.aborted && (await this.#refill(address, signal)));
  }

  /** Returns the endpoint if it exists. Only the API server decides that it is deleted, never a cache. */
  async #endpointOf(
    { account, destination }: SpoolAddress,
    signal: AbortSignal,
  ): Promise<WebhookEndpoint | undefined> {
    const isIt = ({ metadata }: WebhookEndpoint) =>
      metadata.uid === destination && metadata.deletionTimestamp === undefined;
    const known = this.#d.endpoints.byIndex(BY_ACCOUNT, account).find(isIt);
    if (known) return known;
    return (await this.#d.endpointClient.list({ namespace: account, signal })).items.find(isIt);
  }

  async #cancel(address: SpoolAddress): Promise<void> {
    const { store, logger } = this.#d;
    const deleted = await store.deletePrefix(spoolPrefix(address));
    this.#spool.discount(address, deleted);
    await this.#spool.closeIfEmpty(address, async () => (await this.#minutesOf(address)).length === 0);
    logger.info({ ...address, deleted }, 'dropped spooled events of a deleted endpoint');
  }

  /** Deletes expired events. For callbacks, no object in the cluster can carry a warning, so it is logged. */
  async #deleteExpired(address: SpoolAddress, endpoint: WebhookEndpoint | undefined): Promise<void> {
    const { clock, limits, store, events, metrics, logger } = this.#d;
    const before = clock.now().getTime() - limits.keepMs;
    const minutes = await this.#minutesOf(address);
    const old = minutes.filter((minute) => (endOfMinute(minute)?.getTime() ?? Infinity) <= before);
    let deleted = 0;
    for (const minute of old) deleted += await store.deletePrefix(minute);
    if (deleted === 0) return;
    this.#spool.discount(address, deleted);
    metrics.expired(deleted);
    const hours = Math.round(limits.keepMs / 3_600_000);
    const message = `${deleted} events were given up that waited for ${hours} hours`;
    if (endpoint) events.warn(endpoint, 'EventsExpired', message);
    else logger.warn(address, message);
  }

  /** Creates deliveries from the oldest events; returns whether to continue. */
  async #refill(address: SpoolAddress, signal: AbortSignal): Promise<boolean> {
    const { store, pendingOf, limits } = this.#d;
    let minutes: string[] = [];
    const isEmpty = await this.#spool.closeIfEmpty(address, async () => {
      minutes = await this.#minutesOf(address);
      return minutes.length === 0;
    });
    if (isEmpty) return false;
    let taken = 0;
    for (const minute of minutes) {
      const room = limits.mostPending - pendingOf(address.destination);
      if (room <= 0 || signal.aborted) return false;
      const { objects } = await store.list(minute);
      const usable = objects.map(({ key }) => key).filter((key) => !this.#unusable.has(key));
      const page = usable.slice(0, room);
      await inParallel(page, TAKEN_AT_ONCE, async (key) => {
        if (await this.#spool.take(address, key, () => this.#make(address, key, signal))) taken += 1;
      });
      if (page.length < usable.length) return false;
    }
    return taken > 0;
  }

  async #minutesOf(address: SpoolAddress): Promise<string[]> {
    const { prefixes } = await this.#d.store.list(spoolPrefix(address), { delimiter: '/' });
    return [...prefixes];
  }

  /** Creates the delivery of an event. Returns whether the event is done. */
  async #make(address: SpoolAddress, key: string, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const body = await this.#d.store.read(key);
    // Someone else took it.
    if (!body) return true;
    const draft = decodeSpooled(body.toString(), address);
    if (draft && (await this.#create(draft))) return true;
    this.#unusable.add(key);
    this.#d.logger.error({ key }, 'spooled event is invalid, leaving it in the object store');
    return false;
  }

  /** Returns false when the API server will never accept the delivery. */
  async #create(draft: Draft<WebhookDelivery>): Promise<boolean> {
    try {
      await createOnce(this.#d, draft);
      return true;
    } catch (error) {
      if (isApiError(error, 'Invalid') || isApiError(error, 'BadRequest')) return false;
      throw error;
    }
  }
}

/** Creates the delivery unless it exists. */
export async function createOnce(
  { deliveryClient, deliveries }: Pick<SpoolReconcilerOptions, 'deliveryClient' | 'deliveries'>,
  draft: Draft<WebhookDelivery>,
): Promise<void> {
  try {
    deliveries.mutated(await deliveryClient.create(draft));
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
}
