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

/** Requests to queue or store at once, of one batch. */
const AT_ONCE = 8;
/** Of the items that wait in line, the first ones are those that a renderer may have taken. */
const LOOKED_AT = 10;
/** Those behind them are asked after less and less often, down to this, in milliseconds. */
const LONGEST_SILENCE_MS = 60_000;

/** The way of a batch's items through queue and store; what it finds out is in the batch's memory. */
export class BatchItems {
  readonly #d: BatchItemsDependencies;

  constructor(dependencies: BatchItemsDependencies) {
    this.#d = dependencies;
  }

  /**
   * Asks what became of the items that nobody has told of for a while: the queue first, then the store. A queue that has
   * forgotten one of the first may have forgotten all.
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

  /** Asks the queue which items are in hand, of those that can be. */
  async look(tracked: TrackedBatch): Promise<void> {
    const first = openItems(tracked).filter(({ added, outcome }) => added && !outcome);
    await inParallel(first.slice(0, LOOKED_AT), AT_ONCE, async (item) => {
      const state = await this.#d.queue.state(itemTaskId(tracked, item), 'batch');
      item.active = state.status === 'active';
      item.askAt = Math.min(item.askAt, this.#now() + this.#d.config.resyncMs);
    });
  }

  /** Decides about the items whose outcome is told: done, another attempt, or failed. */
  async settle(tracked: TrackedBatch): Promise<void> {
    const told = openItems(tracked).filter(({ outcome }) => outcome);
    await inParallel(told, AT_ONCE, (item) => this.#settle(tracked, item));
  }

  /** Adds to the queue what is to be rendered now; a further attempt only once the status tells of it. */
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

  /** Ends all items that are not decided with this error, but for those whose file is there. */
  async refuse(tracked: TrackedBatch, error: JobError): Promise<void> {
    await inParallel(openItems(tracked), AT_ONCE, async (item) => {
      await this.#d.queue.remove(itemTaskId(tracked, item));
      const stored = await this.#stored(tracked, item);
      if (stored?.status === 'completed') this.#complete(tracked, item, stored);
      else item.result = failedItem(item, error);
    });
  }

  /** Nobody waits for the rest any more: takes it out of the queue, and the data out of the store. */
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
    // An attempt that could not report, or whose report was lost, may have stored the file all the same.
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

  /** What the store refuses for good is the failure of the item. Rejects when it may answer later. */
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

/** When something is to be done about an item of its own accord, in milliseconds. */
export function wakeAt(item: TrackedItem): number {
  if (item.result || item.outcome) return Infinity;
  return item.added ? item.askAt : item.retryAt;
}

function askAgain(item: TrackedItem, now: number, afterMs: number): void {
  item.askedAfterMs = afterMs;
  item.askAt = now + afterMs;
}

/** Whether its current attempt is to be dispatched: it is in no queue, and nobody is to be asked first. */
function isIdle({ added, outcome, askAt }: TrackedItem): boolean {
  return !added && !outcome && askAt === Infinity;
}

function writtenAttempts({ status }: Batch): Map<number, number> {
  return new Map(status?.items?.map(({ index, attempt = 1 }) => [index, attempt]));
}
