import type { Draft, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
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
import { BY_ACCOUNT, type EndpointCache } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface SpoolReconcilerDependencies {
  readonly spool: EventSpool;
  readonly store: Pick<ObjectStore, 'read' | 'list' | 'deletePrefix'>;
  readonly deliveries: Pick<ResourceClient<WebhookDelivery>, 'create'>;
  readonly endpoints: Pick<ResourceClient<WebhookEndpoint>, 'list'>;
  readonly cache: Pick<EndpointCache, 'byIndex'>;
  /** Returns the number of pending deliveries to a destination. */
  readonly pendingOf: (destination: string) => number;
  readonly limits: SpoolLimits;
  /** Called with each created delivery, before a watch reports it. */
  readonly onCreated: (delivery: WebhookDelivery) => void;
  /** Called when the endpoint is no longer backlogged. */
  readonly onClosed: (endpoint: WebhookEndpoint) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'warn'>;
  readonly metrics: Pick<WebhookMetrics, 'expired'>;
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
  readonly #d: SpoolReconcilerDependencies;
  /** Keys of events from which no delivery can be created. */
  readonly #unusable = new Set<string>();

  constructor(dependencies: SpoolReconcilerDependencies) {
    this.#d = dependencies;
  }

  async reconcile(
    { namespace: account = '', name: destination }: ObjectKey,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { spool } = this.#d;
    if (!spool.isOpen(destination)) return;
    const address = { account, destination };
    const isCallbacks = isOfCallbacks(destination);
    const endpoint = isCallbacks ? undefined : await this.#endpointOf(address, signal);
    if (endpoint || isCallbacks) await this.#pursue(address, endpoint, signal);
    else await this.#cancel(address);
    if (spool.isOpen(destination)) return { requeueAfterMs: RECHECK_MS };
    if (endpoint) this.#d.onClosed(endpoint);
  }

  async #pursue(
    address: SpoolAddress,
    endpoint: WebhookEndpoint | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { spool, pendingOf, limits } = this.#d;
    await spool.count(address);
    await this.#deleteExpired(address, endpoint);
    if (pendingOf(address.destination) >= limits.refillBelow) return;
    while (!signal.aborted && (await this.#refill(address, signal)));
  }

  /** Returns the endpoint if it exists. Only the API server decides that it is deleted, never a cache. */
  async #endpointOf(
    { account, destination }: SpoolAddress,
    signal: AbortSignal,
  ): Promise<WebhookEndpoint | undefined> {
    const { cache, endpoints } = this.#d;
    const isIt = ({ metadata }: WebhookEndpoint) =>
      metadata.uid === destination && metadata.deletionTimestamp === undefined;
    const known = cache.byIndex(BY_ACCOUNT, account).find(isIt);
    if (known) return known;
    return (await endpoints.list({ namespace: account, signal })).items.find(isIt);
  }

  async #cancel(address: SpoolAddress): Promise<void> {
    const { spool, store, logger } = this.#d;
    const deleted = await store.deletePrefix(spoolPrefix(address));
    spool.discount(address, deleted);
    await spool.closeIfEmpty(address, async () => (await this.#minutesOf(address)).length === 0);
    logger.info({ ...address, deleted }, 'dropped spooled events of a deleted endpoint');
  }

  /** Deletes expired events. For callbacks, no object in the cluster can carry a warning, so it is logged. */
  async #deleteExpired(address: SpoolAddress, endpoint: WebhookEndpoint | undefined): Promise<void> {
    const { clock, limits, store, spool, events, metrics, logger } = this.#d;
    const before = clock.now().getTime() - limits.keepMs;
    const minutes = await this.#minutesOf(address);
    const old = minutes.filter((minute) => (endOfMinute(minute)?.getTime() ?? Infinity) <= before);
    let deleted = 0;
    for (const minute of old) deleted += await store.deletePrefix(minute);
    if (deleted === 0) return;
    spool.discount(address, deleted);
    metrics.expired(deleted);
    const hours = Math.round(limits.keepMs / 3_600_000);
    const message = `${deleted} events were given up that waited for ${hours} hours`;
    if (endpoint) events.warn(endpoint, 'EventsExpired', message);
    else logger.warn(address, message);
  }

  /** Creates deliveries from the oldest events; returns whether to continue. */
  async #refill(address: SpoolAddress, signal: AbortSignal): Promise<boolean> {
    const { spool, store, pendingOf, limits } = this.#d;
    let minutes: string[] = [];
    const isEmpty = await spool.closeIfEmpty(address, async () => {
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
        if (await spool.take(address, key, () => this.#make(address, key, signal))) taken += 1;
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
      this.#d.onCreated(await this.#d.deliveries.create(draft));
    } catch (error) {
      if (isApiError(error, 'Invalid') || isApiError(error, 'BadRequest')) return false;
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
    return true;
  }
}
