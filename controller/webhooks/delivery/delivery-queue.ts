import type { WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { FairQueue } from '@trifold/platform/scheduling/fair-queue.ts';
import { RunningAccounts } from '@trifold/platform/scheduling/running-accounts.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { WebhooksConfig } from '../config.ts';
import type { EndpointHealth } from '../endpoints/endpoint-health.ts';
import { EndpointSecretError } from '../endpoints/endpoint-secrets.ts';
import { originOf } from './delivery-indexes.ts';
import type { AttemptOutcome } from './delivery-status.ts';
import { reducedDelivery } from './reduced-delivery.ts';
import type { WebhookRequests } from '../webhook-requests.ts';

export interface DeliveryQueueDependencies {
  readonly config: Pick<WebhooksConfig, 'concurrency' | 'endpointConcurrency'>;
  /** Makes one attempt at a reduced delivery. Returns undefined if it no longer exists. */
  readonly send: (delivery: WebhookDelivery, signal: AbortSignal) => Promise<AttemptOutcome | undefined>;
  readonly health: Pick<EndpointHealth, 'isFailing'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  readonly requests: Pick<WebhookRequests, 'deliveries'>;
}

/** This process's state for a delivery. None of it is needed after a restart. */
interface Entry {
  readonly uid: string;
  readonly key: ObjectKey;
  /** Queue of the waiting or running attempt. */
  queue: EndpointQueue | undefined;
  /** Whether an attempt is in flight. */
  sending: boolean;
  /** Outcome of an attempt that has not been written to the status yet. */
  outcome: AttemptOutcome | undefined;
  /** Resolves when the outcome is written. */
  written: PromiseWithResolvers<void> | undefined;
  /**
   * Earliest time of the next attempt, as `Clock.monotonicMs`, regardless of the schedule, because nothing could be
   * sent.
   */
  notBefore: number;
}

/** State of a delivery that is not in its resource. */
export type DeliveryState = Readonly<Pick<Entry, 'sending' | 'outcome' | 'notBefore'>>;

/** The attempts to one endpoint, or to one host of an account's callbacks. */
interface EndpointQueue {
  readonly name: string;
  readonly account: string;
  /** In order. */
  readonly waiting: Map<Entry, WebhookDelivery>;
  /** Subjects of ordered events with an attempt in flight. */
  readonly runningSubjects: Set<string>;
  running: number;
  /** Whether the last attempt succeeded. False until the first one ends. */
  works: boolean;
}

/** Maximum number of attempts in flight to an endpoint that is failing or has not succeeded yet. */
const UNPROVEN_CONCURRENCY = 2;
const ACCOUNT_SHARE = 1 / 4;
/** Retry delay when the secret cannot be read or the API server is unavailable. */
const NOT_SENT_RETRY_MS = 1_000;
/** Maximum time, on stop, for writing the outcomes of the last attempts. */
const RECORD_GRACE_MS = 1_000;

/**
 * Runs attempts round-robin: accounts take turns, and so do the endpoints within an account. The limits per endpoint
 * and account keep hanging endpoints from delaying others. One account may use a quarter of all attempts, but always
 * enough for one endpoint. An endpoint gets ordered events about the same subject one at a time. Keeps each outcome
 * until a reconcile has written it.
 */
export class DeliveryQueue {
  readonly #d: DeliveryQueueDependencies;
  readonly #accountConcurrency: number;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #entries = new Map<string, Entry>();
  /** Names of the queues that may run one more attempt, unless their account has reached its limit. */
  readonly #ready = new FairQueue();
  readonly #runningAccounts = new RunningAccounts();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #closed = false;

  constructor(dependencies: DeliveryQueueDependencies) {
    const { concurrency, endpointConcurrency } = dependencies.config;
    this.#d = dependencies;
    this.#accountConcurrency = Math.max(endpointConcurrency, Math.ceil(concurrency * ACCOUNT_SHARE));
  }

  /** Attempts in flight. */
  get running(): number {
    return this.#running.size;
  }

  stateOf(delivery: WebhookDelivery): DeliveryState {
    return this.#entryOf(delivery);
  }

  /**
   * Begins an attempt when its turn comes. Does nothing if one of the delivery's attempts is waiting or running, or
   * after `stop`.
   */
  add(delivery: WebhookDelivery, endpoint: WebhookEndpoint | undefined): void {
    const entry = this.#entryOf(delivery);
    if (this.#closed || entry.queue) return;
    const queue = this.#queueFor(queueName(delivery), delivery.metadata.namespace ?? 'default');
    entry.queue = queue;
    queue.waiting.set(entry, reducedDelivery(delivery));
    // A test runs even if the endpoint is failing, because the test is meant to reveal the failure.
    if (queue.name === endpoint?.metadata.uid && this.#d.health.isFailing(endpoint)) queue.works = false;
    this.#update(queue);
    this.#startAll();
  }

  /** Records that the outcome has been written, or that there is nowhere to write it. */
  recorded(delivery: WebhookDelivery): void {
    settleOutcome(this.#entryOf(delivery));
  }

  /** Forgets the delivery with this name, except the one with the uid. A waiting attempt is not started. */
  forget(key: ObjectKey, exceptUid?: string): void {
    const entry = this.#entries.get(formatKey(key.namespace, key.name));
    if (!entry || entry.uid === exceptUid) return;
    this.#entries.delete(formatKey(key.namespace, key.name));
    if (entry.queue?.waiting.delete(entry)) this.#update(entry.queue);
    settleOutcome(entry);
  }

  /**
   * Stops starting attempts. In-flight attempts get `graceMs` to finish; the rest are aborted and count as not sent, so
   * they are repeated after the next start. Resolves when the outcomes are written, or soon afterwards.
   */
  async stop(graceMs: number): Promise<void> {
    this.#closed = true;
    for (const { waiting } of this.#queues.values()) waiting.clear();
    const ended = Promise.all(this.#running);
    await this.#waitFor(ended, graceMs);
    this.#stopping.abort(new Error('the controller was stopped'));
    await ended;
    const unwritten = [...this.#entries.values()].flatMap(({ written }) => written?.promise ?? []);
    await this.#waitFor(Promise.all(unwritten), Math.min(graceMs, RECORD_GRACE_MS));
  }

  async #waitFor(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
    await this.#d.clock.withTimeout(() => promise, timeoutMs, { onTimeout: () => undefined });
  }

  #entryOf({ metadata: { namespace, name, uid } }: WebhookDelivery): Entry {
    const key = { namespace: namespace ?? 'default', name };
    this.forget(key, uid);
    const known = this.#entries.get(formatKey(key.namespace, name));
    if (known) return known;
    const nothing = { queue: undefined, sending: false, outcome: undefined, written: undefined };
    const entry = { uid, key, ...nothing, notBefore: -Infinity };
    this.#entries.set(formatKey(key.namespace, name), entry);
    return entry;
  }

  #queueFor(name: string, account: string): EndpointQueue {
    const known = this.#queues.get(name);
    if (known) return known;
    const counts = { running: 0, works: false };
    const queue = { name, account, waiting: new Map(), runningSubjects: new Set<string>(), ...counts };
    this.#queues.set(name, queue);
    return queue;
  }

  /** Gives the queue a turn while it may run one more attempt, and forgets it when it is empty. */
  #update(queue: EndpointQueue): void {
    const { name, account, running, waiting } = queue;
    if (!this.#nextOf(queue)) this.#ready.remove(name);
    else if (!this.#ready.has(name)) this.#ready.push(name, account);
    if (running === 0 && waiting.size === 0) this.#queues.delete(name);
  }

  #startAll(): void {
    while (!this.#closed && this.#running.size < this.#d.config.concurrency && this.#startNext());
  }

  #startNext(): boolean {
    const name = this.#ready.shift(
      (account) => this.#runningAccounts.countOf(account) < this.#accountConcurrency,
    );
    const queue = this.#queues.get(name ?? '');
    const next = queue && this.#nextOf(queue);
    if (!next) return false;
    this.#start(queue, ...next);
    return true;
  }

  /** Returns the first waiting attempt that may run now; undefined if none may. */
  #nextOf({ works, running, waiting, runningSubjects }: EndpointQueue): [Entry, WebhookDelivery] | undefined {
    const { endpointConcurrency } = this.#d.config;
    const limit = works ? endpointConcurrency : Math.min(UNPROVEN_CONCURRENCY, endpointConcurrency);
    if (running >= limit) return undefined;
    for (const [entry, delivery] of waiting) {
      const subject = orderedSubject(delivery);
      if (subject === undefined || !runningSubjects.has(subject)) return [entry, delivery];
    }
    return undefined;
  }

  #start(queue: EndpointQueue, entry: Entry, delivery: WebhookDelivery): void {
    const subject = orderedSubject(delivery);
    queue.waiting.delete(entry);
    queue.running += 1;
    this.#runningAccounts.add(queue.account);
    if (subject !== undefined) queue.runningSubjects.add(subject);
    this.#update(queue);
    const running = this.#run(entry, delivery).finally(() => {
      this.#running.delete(running);
      this.#runningAccounts.remove(queue.account);
      queue.running -= 1;
      if (subject !== undefined) queue.runningSubjects.delete(subject);
      this.#update(queue);
      entry.queue = undefined;
      this.#d.requests.deliveries.enqueue(entry.key);
      this.#startAll();
    });
    this.#running.add(running);
  }

  async #run(entry: Entry, delivery: WebhookDelivery): Promise<void> {
    const { clock, logger, send } = this.#d;
    entry.sending = true;
    try {
      const outcome = await send(delivery, this.#stopping.signal);
      if (outcome) this.#ended(entry, delivery, outcome);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      entry.notBefore = clock.monotonicMs() + NOT_SENT_RETRY_MS;
      const about = { ...entry.key, err: error };
      if (error instanceof EndpointSecretError) logger.debug(about, 'delivery is waiting for its secret');
      else logger.warn(about, 'delivery attempt failed before it was sent');
    } finally {
      entry.sending = false;
    }
  }

  #ended(entry: Entry, { spec }: WebhookDelivery, outcome: AttemptOutcome): void {
    const ownQueue = this.#queues.get(spec.endpointRef?.uid ?? '');
    for (const queue of [entry.queue, ownQueue]) {
      if (!queue) continue;
      queue.works = !outcome.attempt.error;
      this.#update(queue);
    }
    // If the delivery was deleted in the meantime, there is nowhere to write the outcome.
    if (this.#entries.get(formatKey(entry.key.namespace, entry.key.name)) !== entry) return;
    entry.outcome = outcome;
    entry.written = Promise.withResolvers();
  }
}

function settleOutcome(entry: Entry): void {
  entry.outcome = undefined;
  entry.written?.resolve();
  entry.written = undefined;
}

/** Returns the subject of an event that must not overtake an earlier one. */
function orderedSubject({ spec: { sequence, subject } }: WebhookDelivery): string | undefined {
  return sequence === undefined ? undefined : subject?.uid;
}

/**
 * Returns the name of the queue. Each endpoint has a queue, as does each host of an account's callbacks. A test has its
 * own queue, because its sender waits for it and the endpoint may hang. Accounts never share a queue.
 */
function queueName({ metadata, spec: { endpointRef, url = '', once } }: WebhookDelivery): string {
  if (!endpointRef) return `${metadata.namespace ?? 'default'} ${originOf(url)}`;
  return once === true ? `${endpointRef.uid} once` : endpointRef.uid;
}
