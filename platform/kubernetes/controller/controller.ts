import type { Clock } from '../../async/clock.ts';
import type { Priority } from '../../scheduling/priority.ts';
import type { Logger } from '../../process/logging.ts';
import { TurnBudget } from '../../async/turn-budget.ts';
import { TrifoldError } from '../../errors/trifold-error.ts';
import { KubernetesApiError } from '../client/api-error.ts';
import type { Backoff } from './backoff.ts';
import { formatKey, parseKey, type ObjectKey } from '../client/object-key.ts';
import { WorkQueue } from './work-queue.ts';
import type { Metrics } from '../../process/metrics.ts';

/** `requeueAfterMs`: reconcile the object again after this time even if nothing changes. */
export type ReconcileResult = { readonly requeueAfterMs?: number } | void;

export interface Reconciler {
  /**
   * Brings one object closer to its spec. The request names the object, not the change: read the cache, and expect a
   * deleted object, a repeated request and a cache that lags behind your own writes. Errors are retried with backoff, a
   * Conflict without an error log; a TerminalError is not retried.
   */
  reconcile(request: ObjectKey, signal: AbortSignal): Promise<ReconcileResult>;
}

/** A retry cannot succeed until the object changes. */
export class TerminalError extends TrifoldError<'terminal'> {
  constructor(message: string, cause?: unknown) {
    super('terminal', message, { cause });
  }
}

/** Source of the changes that a controller watches: an Informer. */
export interface ChangeSource {
  onChange(listener: (key: ObjectKey) => void): () => void;
  synced(signal?: AbortSignal): Promise<void>;
  keys(): ObjectKey[];
}

export interface ControllerOptions {
  /** Name of the controller in logs and metrics. */
  readonly name: string;
  readonly reconciler: Reconciler;
  /** Maximum number of concurrent reconciles; an object never has more than one. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: ControllerMetrics;
  /** Backoff of an object whose reconcile failed. @default 5 ms doubling up to 5 minutes */
  readonly backoff?: Backoff;
  /** Returns a number in [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
  /** Priority of an object, read when it is enqueued. @default asynchronous */
  readonly priorityOf?: (key: ObjectKey) => Priority | undefined;
}

interface Watched {
  readonly source: ChangeSource;
  readonly map: (key: ObjectKey) => ObjectKey[];
  readonly unsubscribe: () => void;
}

/**
 * Limits the reconciles that all controllers in the process begin in one turn of the event loop. Otherwise, thousands
 * that only read caches would run in a single turn after a start.
 */
const TURNS = new TurnBudget(32);
/** Limits the existing objects that all starting controllers enqueue in one turn. */
const FIRST_KEYS = new TurnBudget(500);

/** Maximum time that a stop waits for a reconcile to react to its signal. */
const ABORT_GRACE_MS = 1000;

/**
 * Runs a reconciler for changed objects: concurrently for different objects, one at a time per object. Objects wait by
 * priority, and namespaces take turns.
 */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #logger: Logger;
  readonly #queue: WorkQueue;
  readonly #watched: Watched[] = [];
  readonly #aborting = new AbortController();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#logger = options.logger.child({ controller: options.name });
    this.#queue = new WorkQueue({
      ...options,
      priorityOf: (key) => options.priorityOf?.(parseKey(key)),
      groupOf: (key) => parseKey(key).namespace ?? '',
    });
    options.metrics?.observeQueue(options.name, () => this.#queue.length);
  }

  /**
   * Reconciles an object when it changes in the source, or the objects to which `map` maps its key. The owner of the
   * informer starts and stops it. Call before `start`.
   */
  watches(source: ChangeSource, map: (key: ObjectKey) => ObjectKey[] = (key) => [key]): this {
    // Changes before the start are ignored: the start enqueues every object, and a standby may wait for days.
    const unsubscribe = source.onChange((key) => {
      if (this.#running) for (const request of map(key)) this.enqueue(request);
    });
    this.#watched.push({ source, map, unsubscribe });
    return this;
  }

  /** Enqueues this object now, in addition to the changes from its informers. */
  enqueue(key: ObjectKey): void {
    this.#queue.add(formatKey(key.namespace, key.name));
  }

  /** Starts when all informers have synced, and first enqueues all of their objects. Idempotent. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Accepts no new requests, waits up to `graceMs` for active reconciles, then aborts their signal. Abandons a
   * reconcile that does not end within a second after that.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the controller was stopped'));
    for (const { unsubscribe } of this.#watched) unsubscribe();
    const drained = this.#queue.drain();
    const ended = Promise.all([drained, this.#running]);
    if (await this.#settles(ended, graceMs)) return;
    this.#aborting.abort(new Error('the controller was stopped'));
    if (await this.#settles(ended, ABORT_GRACE_MS)) return;
    this.#logger.warn('reconcile did not stop in time');
  }

  async #run(): Promise<void> {
    try {
      await Promise.all(this.#watched.map(({ source }) => source.synced(this.#stopping.signal)));
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#logger.error({ err: error }, 'controller failed to start');
      return;
    }
    // Listeners receive only changes, so they miss objects that existed before they were added.
    for (const { source, map } of this.#watched) {
      await FIRST_KEYS.inSlices(source.keys(), (slice) => {
        for (const key of slice) this.#enqueueMapped(map, key);
      });
    }
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work()));
  }

  async #work(): Promise<void> {
    for (;;) {
      const key = await this.#queue.get();
      if (key === undefined) return;
      await TURNS.run(() => TURNS.spend(1));
      await this.#handle(key);
      this.#queue.done(key);
    }
  }

  async #handle(key: string): Promise<void> {
    const began = this.#options.clock.monotonicMs();
    const outcome = await this.#reconcile(key);
    const seconds = (this.#options.clock.monotonicMs() - began) / 1000;
    this.#options.metrics?.reconciled(this.#options.name, outcome, seconds);
  }

  async #reconcile(key: string): Promise<ReconcileOutcome> {
    try {
      const result = await this.#options.reconciler.reconcile(parseKey(key), this.#aborting.signal);
      this.#queue.forget(key);
      if (result?.requeueAfterMs === undefined) return 'success';
      this.#queue.addAfter(key, result.requeueAfterMs);
      return 'requeue_after';
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  #failed(key: string, error: unknown): ReconcileOutcome {
    const about = { ...parseKey(key), err: error };
    if (this.#aborting.signal.aborted) return 'aborted';
    if (error instanceof TerminalError) {
      this.#queue.forget(key);
      this.#logger.error(about, 'reconcile failed, not retrying');
      return 'terminal_error';
    }
    const apiError = error instanceof KubernetesApiError ? error : undefined;
    this.#queue.addRateLimited(key, apiError?.retryAfterMs);
    if (apiError?.code === 409) {
      this.#logger.debug(about, 'reconcile conflict, retrying');
      return 'conflict';
    }
    this.#logger.error({ ...about, retries: this.#queue.retries(key) }, 'reconcile failed, retrying');
    return 'error';
  }

  #enqueueMapped(map: Watched['map'], key: ObjectKey): void {
    try {
      for (const request of map(key)) this.enqueue(request);
    } catch (error) {
      this.#logger.error({ err: error, ...key }, 'failed to map a change to reconcile requests');
    }
  }

  async #settles(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
    const settled = async () => promise.then(() => true);
    return this.#options.clock.withTimeout(settled, timeoutMs, { onTimeout: () => false });
  }
}

export type ReconcileOutcome =
  | 'success'
  | 'requeue_after'
  | 'conflict'
  | 'error'
  | 'terminal_error'
  | 'aborted';

/** Metrics of controllers. All controllers of a process share one instance. */
export interface ControllerMetrics {
  reconciled(controller: string, outcome: ReconcileOutcome, seconds: number): void;
  observeQueue(controller: string, length: () => number): void;
}

/** Counts reconciles by outcome, measures their duration and reports the number of waiting objects. */
export function controllerMetrics(metrics: Metrics): ControllerMetrics {
  const lengths = new Map<string, () => number>();
  const total = metrics.counter({
    name: 'trifold_controller_reconcile_total',
    help: 'Reconciles by outcome.',
    labelNames: ['controller', 'result'],
  });
  const duration = metrics.histogram({
    name: 'trifold_controller_reconcile_duration_seconds',
    help: 'Time of one reconcile.',
    labelNames: ['controller'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
  });
  metrics.gauge({
    name: 'trifold_controller_queue_length',
    help: 'Objects waiting to be reconciled.',
    labelNames: ['controller'],
    collect() {
      for (const [controller, length] of lengths) this.set({ controller }, length());
    },
  });
  return {
    reconciled(controller, result, seconds) {
      total.inc({ controller, result });
      duration.observe({ controller }, seconds);
    },
    observeQueue: (controller, length) => void lengths.set(controller, length),
  };
}
