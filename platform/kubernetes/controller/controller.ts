import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import { KubernetesApiError } from '../client/api-error.ts';
import type { Backoff } from './backoff.ts';
import type { ControllerMetrics, ReconcileOutcome } from './controller-metrics.ts';
import { formatKey, parseKey, type ObjectKey } from '../client/object-key.ts';
import { WorkQueue } from './work-queue.ts';

/** `requeueAfterMs`: look at the object again after that time even if nothing changes. */
export type ReconcileResult = { readonly requeueAfterMs?: number } | void;

export interface Reconciler {
  /**
   * Brings one object nearer to what its spec asks for. The request says which, not why: read the cache, expect that
   * the object is gone, that the same request comes again, and that the cache is behind your own writes. What throws
   * is tried again with backoff, a Conflict quietly, a TerminalError not at all.
   */
  reconcile(request: ObjectKey, signal: AbortSignal): Promise<ReconcileResult>;
}

/** Trying again cannot help until the object changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

/** What a controller watches: an Informer. */
export interface ChangeSource {
  onChange(listener: (key: ObjectKey) => void): () => void;
  synced(signal?: AbortSignal): Promise<void>;
  keys(): ObjectKey[];
}

export interface ControllerOptions {
  /** Names the controller in logs and metrics. */
  readonly name: string;
  readonly reconciler: Reconciler;
  /** Objects in hand at once; one object never twice. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: ControllerMetrics;
  /** Of an object whose reconcile failed. @default 5 ms doubling up to 5 minutes */
  readonly backoff?: Backoff;
  /** In [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
}

interface Watched {
  readonly source: ChangeSource;
  readonly map: (key: ObjectKey) => ObjectKey[];
  readonly unsubscribe: () => void;
}

/** How long a reconcile may take to heed its signal before it is left behind. */
const ABORT_GRACE_MS = 1000;

/** Runs a reconciler for the objects that changed, some at once, each object one at a time. */
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
    this.#queue = new WorkQueue(options);
    options.metrics?.observeQueue(options.name, () => this.#queue.length);
  }

  /**
   * Reconciles what changes there: the object itself, or those that `map` makes of its key. The informer is started
   * and stopped by whoever made it. Call before `start`.
   */
  watches(source: ChangeSource, map: (key: ObjectKey) => ObjectKey[] = (key) => [key]): this {
    // Before the start nothing is kept: it begins with everything there is, and a standby may wait for days.
    const unsubscribe = source.onChange((key) => {
      if (this.#running) for (const request of map(key)) this.enqueue(request);
    });
    this.#watched.push({ source, map, unsubscribe });
    return this;
  }

  /** Asks for a reconcile of this object now, besides those that its informers cause. */
  enqueue(key: ObjectKey): void {
    this.#queue.add(formatKey(key.namespace, key.name));
  }

  /** Begins, once every informer knows what there is; then with everything they hold. More than once is once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Takes nothing new, waits for what is in hand at most `graceMs`, then aborts the reconcilers' signal. One that
   * does not heed it within a second is left behind.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the controller was stopped'));
    for (const { unsubscribe } of this.#watched) unsubscribe();
    const drained = this.#queue.drain();
    const ended = Promise.all([drained, this.#running]);
    if (await this.#within(ended, graceMs)) return;
    this.#aborting.abort(new Error('the controller was stopped'));
    if (await this.#within(ended, ABORT_GRACE_MS)) return;
    this.#logger.warn('reconcile did not stop in time');
  }

  async #run(): Promise<void> {
    try {
      await Promise.all(this.#watched.map(({ source }) => source.synced(this.#stopping.signal)));
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#logger.error({ err: error }, 'controller failed to start');
      return;
    }
    // Listeners hear of changes only; what was there before they were added would be missed.
    for (const { source, map } of this.#watched) {
      for (const key of source.keys()) this.#enqueueMapped(map, key);
    }
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work()));
  }

  async #work(): Promise<void> {
    for (;;) {
      const key = await this.#queue.get();
      if (key === undefined) return;
      await this.#handle(key);
      this.#queue.done(key);
    }
  }

  async #handle(key: string): Promise<void> {
    const began = performance.now();
    const outcome = await this.#reconcile(key);
    this.#options.metrics?.reconciled(this.#options.name, outcome, (performance.now() - began) / 1000);
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
    const refusal = error instanceof KubernetesApiError ? error : undefined;
    this.#queue.addRateLimited(key, refusal?.retryAfterMs);
    if (refusal?.code === 409) {
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

  /** Whether the promise settles in that time. */
  async #within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
    const timer = Promise.withResolvers<false>();
    const cancel = this.#options.clock.schedule(milliseconds, () => timer.resolve(false));
    const settled = promise.then(() => true as const);
    const inTime = await Promise.race([settled, timer.promise]);
    cancel();
    return inTime;
  }
}
