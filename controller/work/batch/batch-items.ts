import { batchItemKey, dataKey, type Batch, type JobError } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderQueue } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../../config.ts';
import { finalFailure, isOfLostRenderer, nextAttempt, retryDelay } from '../attempts.ts';
import { workErrorOf } from '../work-error.ts';
import type { StoredResults } from '../stored-results.ts';
import { completedItem, failedItem } from './batch-status.ts';
import { itemTaskOf } from './item-task.ts';
import {
  beginAttempt,
  failureOf,
  itemTaskId,
  openItems,
  tell,
  type TrackedBatch,
  type TrackedItem,
} from './tracked-batches.ts';

export interface BatchItemsDependencies {
  readonly queue: RenderQueue;
  readonly store: Pick<ObjectStore, 'delete'>;
  readonly results: Pick<StoredResults, 'find'>;
  readonly clock: Clock;
  readonly config: Pick<
    ControllerConfig,
    'renderDeadlineMs' | 'renderAttempts' | 'retryDelayMs' | 'resyncMs'
  >;
}

/** Concurrent requests to the queue or the store, per batch. */
const AT_ONCE = 8;
/** Number of items at the head of the queue that a renderer may have taken. */
const LOOKED_AT = 10;
/** Maximum interval between lookups of the items behind them, in milliseconds; the interval grows up to this. */
const LONGEST_SILENCE_MS = 60_000;

/** Moves the items of a batch through queue and store, and records the results in the tracked batch. */
export class BatchItems {
  readonly #d: BatchItemsDependencies;

  constructor(dependencies: BatchItemsDependencies) {
    this.#d = dependencies;
  }

  /**
   * Looks up items that have had no report for a while: in the queue first, then in the store. If the queue has
   * forgotten one of them, it may have forgotten all.
   */
  async takeStock(tracked: TrackedBatch): Promise<void> {
    const now = this.#now();
    const open = openItems(tracked).filter(({ outcome }) => !outcome);
    const due = new Set(open.filter(({ askAt }) => askAt <= now));
    const inQueue = [...due].filter(({ added }) => added);
    const near = new Set(open.slice(0, LOOKED_AT));
    const ask = (item: TrackedItem) => this.#ask(tracked, item, near.has(item));
    await inParallel([...due], AT_ONCE, ask);
    if (inQueue.every(({ added }) => added)) return;
    await inParallel(
      open.filter((item) => item.added && !due.has(item)),
      AT_ONCE,
      ask,
    );
  }

  /** Asks the queue which of the first items a renderer is working on. */
  async look(tracked: TrackedBatch): Promise<void> {
    const first = openItems(tracked).filter(({ added, outcome }) => added && !outcome);
    await inParallel(first.slice(0, LOOKED_AT), AT_ONCE, async (item) => {
      const state = await this.#d.queue.state(itemTaskId(tracked, item), 'batch');
      item.active = state.status === 'active';
      item.askAt = Math.min(item.askAt, this.#now() + this.#d.config.resyncMs);
    });
  }

  /** Decides the items that have an outcome: completed, another attempt, or failed. */
  async settle(tracked: TrackedBatch): Promise<void> {
    const told = openItems(tracked).filter(({ outcome }) => outcome);
    await inParallel(told, AT_ONCE, (item) => this.#settle(tracked, item));
  }

  /** Adds the items that are due to the queue; a further attempt only once the status records it. */
  async dispatch(batch: Batch, tracked: TrackedBatch): Promise<void> {
    const { queue, clock, config } = this.#d;
    const now = clock.now();
    const written = writtenAttempts(batch);
    const due = openItems(tracked).filter(
      (item) =>
        isIdle(item) && item.retryAt <= now.getTime() && item.attempt <= (written.get(item.index) ?? 1),
    );
    const prefix = tracked.prefix ?? '';
    await inParallel(due, AT_ONCE, async (item) => {
      const { index } = item;
      const id = itemTaskId(tracked, item);
      tracked.dispatchedAt ??= now.getTime();
      const { renderDeadlineMs: deadlineMs } = config;
      const exclusive = item.lostAttempts > 0;
      await queue.add(itemTaskOf(batch, { id, index, prefix, deadlineMs, exclusive, now }));
      item.added = true;
      askAgain(item, now.getTime(), config.resyncMs);
    });
  }

  /** Fails all undecided items with this error, except those whose file is stored. */
  async refuse(tracked: TrackedBatch, error: JobError): Promise<void> {
    await inParallel(openItems(tracked), AT_ONCE, async (item) => {
      await this.#d.queue.remove(itemTaskId(tracked, item));
      const stored = await this.#stored(tracked, item);
      if (stored?.status === 'completed') this.#complete(tracked, item, stored);
      else item.result = failedItem(item, error);
    });
  }

  /** Removes the remaining items from the queue and their data from the store: nobody needs them any more. */
  async abandon(tracked: TrackedBatch): Promise<void> {
    const { queue, store } = this.#d;
    const { prefix } = tracked;
    await inParallel(openItems(tracked), AT_ONCE, (item) => queue.remove(itemTaskId(tracked, item)));
    if (prefix === undefined) return;
    await inParallel(tracked.items, AT_ONCE, ({ index }) =>
      store.delete(dataKey(batchItemKey(prefix, index))),
    );
  }

  async #ask(tracked: TrackedBatch, item: TrackedItem, near: boolean): Promise<void> {
    const { resyncMs } = this.#d.config;
    const state = await this.#d.queue.state(itemTaskId(tracked, item), 'batch');
    item.active = state.status === 'active';
    if (state.status !== 'unknown') tracked.dispatchedAt ??= this.#now();
    switch (state.status) {
      case 'completed':
      case 'failed':
        item.added = true;
        return tell(item, state);
      case 'waiting':
      case 'active': {
        item.added = true;
        const longer = Math.max(resyncMs, Math.min(2 * item.askedAfterMs, LONGEST_SILENCE_MS));
        return askAgain(item, this.#now(), near || item.active ? resyncMs : longer);
      }
      case 'unknown':
        tell(item, await this.#stored(tracked, item));
        item.added = false;
        item.askAt = Infinity;
    }
  }

  async #settle(tracked: TrackedBatch, item: TrackedItem): Promise<void> {
    if (item.outcome?.status === 'completed') return this.#complete(tracked, item, item.outcome);
    const failure = failureOf(item);
    if (!failure) return;
    const delayMs = retryDelay(failure, item, this.#d.config);
    // An attempt that could not report, or whose report was lost, may still have stored the file.
    if (delayMs === undefined || isOfLostRenderer(failure)) {
      const stored = await this.#stored(tracked, item);
      if (stored?.status === 'completed') return this.#complete(tracked, item, stored);
    }
    if (delayMs === undefined) item.result = failedItem(item, finalFailure(failure));
    else beginAttempt(item, nextAttempt(failure, item), this.#now() + delayMs);
  }

  #complete(
    tracked: TrackedBatch,
    item: TrackedItem,
    { result }: Extract<RenderOutcome, { status: 'completed' }>,
  ): void {
    item.result = completedItem(item, result);
    const { startedAt } = tracked;
    const earlier = startedAt === undefined || Date.parse(result.startedAt) < Date.parse(startedAt);
    if (earlier) tracked.startedAt = result.startedAt;
  }

  /**
   * Returns the stored outcome of an item. A permanent error of the store fails the item; rejects with a temporary
   * error.
   */
  async #stored({ prefix, uid }: TrackedBatch, { index }: TrackedItem): Promise<RenderOutcome | undefined> {
    if (prefix === undefined) return undefined;
    try {
      return await this.#d.results.find(batchItemKey(prefix, index), uid);
    } catch (error) {
      return { status: 'failed', failure: { ...workErrorOf(error), retryable: false } };
    }
  }

  #now(): number {
    return this.#d.clock.now().getTime();
  }
}

/** Time, in milliseconds, at which an item needs attention even without an event. */
export function wakeAt(item: TrackedItem): number {
  if (item.result || item.outcome) return Infinity;
  return item.added ? item.askAt : item.retryAt;
}

function askAgain(item: TrackedItem, now: number, afterMs: number): void {
  item.askedAfterMs = afterMs;
  item.askAt = now + afterMs;
}

/** Whether the current attempt can be dispatched: it is in no queue, and no lookup is pending. */
function isIdle({ added, outcome, askAt }: TrackedItem): boolean {
  return !added && !outcome && askAt === Infinity;
}

function writtenAttempts({ status }: Batch): Map<number, number> {
  return new Map(status?.items?.map(({ index, attempt = 1 }) => [index, attempt]));
}
