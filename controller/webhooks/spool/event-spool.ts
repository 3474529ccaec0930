import type { Draft, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { SpoolLimits } from '../config.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { isOfCallbacks } from '../delivery/delivery-indexes.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';
import type { WebhookRequests } from '../webhook-requests.ts';
import {
  decodeSpooled,
  encodeSpooled,
  endOfMinute,
  SPOOL_PREFIX,
  spoolKey,
  spoolOf,
  spoolPrefix,
  type SpoolAddress,
} from './spooled-event.ts';

export interface EventSpoolDependencies {
  readonly store: Pick<ObjectStore, 'put' | 'read' | 'list' | 'pages' | 'delete' | 'deletePrefix'>;
  readonly deliveries: Pick<Deliveries, 'get' | 'createOnce' | 'quotaOf' | 'hasRoomForSpooled'>;
  readonly subscriptions: Pick<Subscriptions, 'cached' | 'findByUid'>;
  readonly requests: Pick<WebhookRequests, 'spools' | 'endpoints'>;
  readonly limits: Pick<SpoolLimits, 'keepMs'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'warn'>;
  readonly metrics: Pick<WebhookMetrics, 'expired'>;
}

/** A spool that contains events, or may contain some. */
interface OpenSpool extends SpoolAddress {
  /** Number of objects in the spool; undefined until counted. */
  count: number | undefined;
  /** Counts of puts started and finished. */
  begun: number;
  ended: number;
}

/** Interval at which an open spool is checked, regardless of notifications. */
const RECHECK_MS = 10_000;
const TAKEN_AT_ONCE = 8;

/**
 * Events waiting in the object store because too many deliveries to their destination are pending. The objects are
 * the source of truth; this class only tracks which destinations have any. While a destination has spooled events,
 * later events to it are queued behind them. A reconcile creates the deliveries of one spool, oldest first, once few
 * enough are pending; the request names the account and the destination. A delivery is created before its event is
 * deleted, and is never deleted before its event, so that a crash in between loses nothing and creates nothing twice.
 */
export class EventSpool implements Reconciler {
  readonly #d: EventSpoolDependencies;
  readonly #open = new Map<string, OpenSpool>();
  /** Keys that are being read or deleted. */
  readonly #held = new Set<string>();
  /** Keys of events from which no delivery can be created. */
  readonly #unusable = new Set<string>();
  #isKnown = false;

  constructor(dependencies: EventSpoolDependencies) {
    this.#d = dependencies;
  }

  /** Whether later events to the destination must be queued behind spooled ones. */
  isOpen(destination: string): boolean {
    return this.#open.has(destination);
  }

  /** Returns the number of counted events for a destination, or undefined if it is not backlogged. */
  countOf(destination: string): number | undefined {
    const spool = this.#open.get(destination);
    return spool && (spool.count ?? 0);
  }

  /** Number of spooled events across all destinations, as far as they have been counted. */
  get total(): number {
    return [...this.#open.values()].reduce((sum, { count = 0 }) => sum + count, 0);
  }

  /** Returns the reconcile requests for an account's spools. */
  requestsOf(account: string | undefined): ObjectKey[] {
    return [...this.#open.values()].filter((spool) => spool.account === account).map(spoolRequest);
  }

  /** Returns the reconcile request for the spool that this delivery frees room for. */
  requestsAfter(key: ObjectKey): ObjectKey[] {
    const delivery = this.#d.deliveries.get(key.namespace, key.name);
    if (!delivery) return [];
    const address = spoolOf(delivery);
    const { destination } = address;
    return this.isOpen(destination) && this.#d.deliveries.hasRoomForSpooled(address)
      ? [spoolRequest(address)]
      : [];
  }

  /** Queues the delivery behind the spooled events of its destination; idempotent. Rejects with ObjectStoreError. */
  async put(draft: Draft<WebhookDelivery>): Promise<void> {
    const address = spoolOf(draft);
    // This happens before the put, so that no later event overtakes this one.
    const spool = this.#openAt(address);
    spool.begun += 1;
    try {
      const options = { contentType: 'application/json', ifAbsent: true };
      const { created } = await this.#d.store.put(spoolKey(address, draft), encodeSpooled(draft), options);
      if (created && spool.count !== undefined) spool.count += 1;
    } finally {
      spool.ended += 1;
      this.#notePut(address);
    }
  }

  /** Finds the spools created by other processes, or by this one before a restart, and requests a reconcile of each. */
  async discover(): Promise<void> {
    const { store, requests } = this.#d;
    const accounts = await store.list(SPOOL_PREFIX, { delimiter: '/' });
    for (const account of accounts.prefixes) {
      const destinations = await store.list(account, { delimiter: '/' });
      for (const prefix of destinations.prefixes) {
        const [, name = '', destination = ''] = prefix.split('/');
        this.#openAt({ account: name, destination });
      }
    }
    this.#isKnown = true;
    for (const address of this.#open.values()) requests.spools.enqueue(spoolRequest(address));
  }

  /**
   * Runs `remove`, which deletes the delivery, once no spooled event can recreate it: a crash between creating a
   * delivery and deleting its event leaves the event behind. Returns false, and does nothing, while the delivery is
   * being created from its event.
   */
  async outlive(delivery: WebhookDelivery, remove: () => Promise<void>): Promise<boolean> {
    const address = spoolOf(delivery);
    if (this.#isKnown && !this.isOpen(address.destination)) {
      await remove();
      return true;
    }
    const key = spoolKey(address, delivery);
    return this.#holding(key, async () => {
      await this.#d.store.delete(key);
      await remove();
    });
  }

  async reconcile(
    { namespace: account = '', name: destination }: ObjectKey,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const spool = this.#open.get(destination);
    if (!spool) return;
    const isCallbacks = isOfCallbacks(destination);
    const endpoint = isCallbacks
      ? undefined
      : await this.#d.subscriptions.findByUid(account, destination, signal);
    if (endpoint || isCallbacks) await this.#pursue(spool, endpoint, signal);
    else await this.#cancel(spool);
    if (this.isOpen(destination)) return { requeueAfterMs: RECHECK_MS };
    // The endpoint's Backlogged condition must become False.
    if (endpoint) this.#d.requests.endpoints.enqueue({ namespace: account, name: endpoint.metadata.name });
  }

  async #pursue(spool: OpenSpool, endpoint: WebhookEndpoint | undefined, signal: AbortSignal): Promise<void> {
    spool.count ??= await this.#countOf(spool);
    await this.#deleteExpired(spool, endpoint);
    if (!this.#d.deliveries.hasRoomForSpooled(spool)) return;
    while (!signal.aborted && (await this.#refill(spool, signal)));
  }

  async #countOf(address: SpoolAddress): Promise<number> {
    let count = 0;
    for await (const objects of this.#d.store.pages(spoolPrefix(address))) count += objects.length;
    return count;
  }

  async #cancel(spool: OpenSpool): Promise<void> {
    const { store, logger } = this.#d;
    const { account, destination } = spool;
    const deleted = await store.deletePrefix(spoolPrefix(spool));
    discount(spool, deleted);
    await this.#minutesUnlessEmpty(spool);
    logger.info({ account, destination, deleted }, 'dropped spooled events for a deleted endpoint');
  }

  /** Deletes expired events. For callbacks, no cluster object exists to attach a warning to, so it is logged. */
  async #deleteExpired(spool: OpenSpool, endpoint: WebhookEndpoint | undefined): Promise<void> {
    const { clock, limits, store, events, metrics, logger } = this.#d;
    const before = clock.now().getTime() - limits.keepMs;
    const minutes = await this.#minutesOf(spool);
    const old = minutes.filter((minute) => (endOfMinute(minute)?.getTime() ?? Infinity) <= before);
    let deleted = 0;
    for (const minute of old) deleted += await store.deletePrefix(minute);
    if (deleted === 0) return;
    discount(spool, deleted);
    metrics.expired(deleted);
    const hours = Math.round(limits.keepMs / 3_600_000);
    const message = `${deleted} events were dropped after ${hours} hours in the object store`;
    const { account, destination } = spool;
    if (endpoint) events.warn(endpoint, 'EventsExpired', message);
    else logger.warn({ account, destination }, message);
  }

  /** Creates deliveries from the oldest events; returns whether to continue. */
  async #refill(spool: OpenSpool, signal: AbortSignal): Promise<boolean> {
    const { deliveries, store } = this.#d;
    let taken = 0;
    for (const minute of await this.#minutesUnlessEmpty(spool)) {
      const quota = deliveries.quotaOf(spool);
      if (quota <= 0 || signal.aborted) return false;
      const { objects } = await store.list(minute);
      const usable = objects.map(({ key }) => key).filter((key) => !this.#unusable.has(key));
      const page = usable.slice(0, quota);
      await inParallel(page, TAKEN_AT_ONCE, async (key) => {
        if (await this.#take(spool, key, signal)) taken += 1;
      });
      if (page.length < usable.length) return false;
    }
    return taken > 0;
  }

  async #minutesOf(address: SpoolAddress): Promise<string[]> {
    const { prefixes } = await this.#d.store.list(spoolPrefix(address), { delimiter: '/' });
    return [...prefixes];
  }

  /** Returns the minutes of the spool; forgets the spool if there are none and no put ran in the meantime. */
  async #minutesUnlessEmpty(spool: OpenSpool): Promise<string[]> {
    const { begun } = spool;
    const isQuiet = begun === spool.ended;
    const minutes = await this.#minutesOf(spool);
    if (minutes.length === 0 && isQuiet && spool.begun === begun) this.#open.delete(spool.destination);
    return minutes;
  }

  /**
   * Creates an event's delivery and deletes the event. Returns false if no delivery could be created or the
   * delivery is being deleted.
   */
  async #take(spool: OpenSpool, key: string, signal: AbortSignal): Promise<boolean> {
    let isTaken = false;
    await this.#holding(key, async () => {
      signal.throwIfAborted();
      if (!(await this.#make(spool, key))) return;
      await this.#d.store.delete(key);
      discount(spool, 1);
      isTaken = true;
    });
    return isTaken;
  }

  /** Creates an event's delivery. Returns whether the event is done. */
  async #make(address: SpoolAddress, key: string): Promise<boolean> {
    const body = await this.#d.store.read(key);
    // Another process took it.
    if (!body) return true;
    const draft = decodeSpooled(body.toString(), address);
    if (draft && (await this.#create(draft))) return true;
    this.#unusable.add(key);
    this.#d.logger.error({ key }, 'spooled event is invalid, leaving it in the object store');
    return false;
  }

  /** Returns false if the API server will never accept the delivery. */
  async #create(draft: Draft<WebhookDelivery>): Promise<boolean> {
    try {
      await this.#d.deliveries.createOnce(draft);
      return true;
    } catch (error) {
      if (isApiError(error, 'Invalid') || isApiError(error, 'BadRequest')) return false;
      throw error;
    }
  }

  async #holding(key: string, run: () => Promise<void>): Promise<boolean> {
    if (this.#held.has(key)) return false;
    this.#held.add(key);
    try {
      await run();
      return true;
    } finally {
      this.#held.delete(key);
    }
  }

  #notePut(address: SpoolAddress): void {
    const { account, destination } = address;
    const { deliveries, subscriptions, requests } = this.#d;
    if (deliveries.hasRoomForSpooled(address)) requests.spools.enqueue(spoolRequest(address));
    const endpoint = subscriptions.cached(account, destination);
    if (endpoint) requests.endpoints.enqueue({ namespace: account, name: endpoint.metadata.name });
  }

  #openAt({ account, destination }: SpoolAddress): OpenSpool {
    const known = this.#open.get(destination);
    if (known) return known;
    const count = this.#isKnown ? 0 : undefined;
    const spool = { account, destination, count, begun: 0, ended: 0 };
    this.#open.set(destination, spool);
    return spool;
  }
}

/** Subtracts deleted events from the count. */
function discount(spool: OpenSpool, deleted: number): void {
  if (spool.count !== undefined) spool.count = Math.max(0, spool.count - deleted);
}

/** Identifies a spool in reconcile requests. */
function spoolRequest({ account, destination }: SpoolAddress): ObjectKey {
  return { namespace: account, name: destination };
}
