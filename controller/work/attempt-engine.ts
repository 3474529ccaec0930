import { dataKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../config.ts';
import { finalFailure, isOfLostRenderer, nextAttempt, retryDelay } from './attempts.ts';
import { findStoredOutcome } from './stored-outcome.ts';
import { withAccess, type Dispatch } from './render-task.ts';
import {
  beginAttempt,
  openDocuments,
  taskIdOf,
  report,
  type TrackedDocument,
  type TrackedWork,
} from './tracked-work.ts';
import { workErrorOf } from './work-error.ts';
import type { DocumentFailure } from '@trifold/platform/service/document-error.ts';

export interface AttemptEngineOptions {
  readonly queue: RenderQueue;
  readonly store: Pick<ObjectStore, 'delete' | 'head' | 'presign'>;
  readonly clock: Clock;
  readonly config: Pick<
    ControllerConfig,
    'renderDeadlineMs' | 'renderAttempts' | 'retryDelayMs' | 'resyncMs'
  >;
}

type Work = Pick<TrackedWork, 'priority' | 'uid' | 'documents' | 'rejection' | 'dispatchedAt'>;

/** Concurrent requests to the queue or the store, per job or batch. */
const AT_ONCE = 8;
/** Number of documents at the head of the queue that a renderer may have taken. */
const LOOKED_AT = 10;
/** Maximum interval between lookups of the documents behind them, in milliseconds; the interval grows up to this. */
const LONGEST_SILENCE_MS = 60_000;

/**
 * Takes the documents of a job or a batch through their attempts: dispatches them to the render queue, looks them up in
 * the queue and then in the store, and decides between another attempt and the end. Records everything in the tracked
 * documents and writes no resource.
 */
export class AttemptEngine {
  readonly #options: AttemptEngineOptions;

  constructor(options: AttemptEngineOptions) {
    this.#options = options;
  }

  /**
   * Looks up documents that have had no report for a while: in the queue first, then in the store. If the queue has
   * forgotten one of them, it may have forgotten all. `showing`: also asks which of the first documents a renderer is
   * working on.
   */
  async lookUp(work: Work, showing: boolean): Promise<void> {
    const now = this.#now();
    const open = openDocuments(work).filter(({ outcome }) => !outcome);
    const near = new Set(open.slice(0, LOOKED_AT));
    const isDue = (document: TrackedDocument) =>
      document.askAt <= now || (showing && document.added && near.has(document));
    const due = open.filter(isDue);
    const inQueue = due.filter(({ added }) => added);
    const ask = (document: TrackedDocument) => this.#ask(work, document, near.has(document));
    await someAtOnce(due, ask);
    if (inQueue.every(({ added }) => added)) return;
    const asked = new Set(due);
    await someAtOnce(
      open.filter((document) => document.added && !asked.has(document)),
      ask,
    );
  }

  /** Decides the documents that have an outcome: completed, another attempt, or failed. */
  async settle(work: Work): Promise<void> {
    const reported = openDocuments(work).filter(({ outcome }) => outcome);
    await someAtOnce(reported, (document) => this.#settle(work, document));
  }

  /** Adds the current attempt of each document to the queue. Adding one twice does nothing. */
  async dispatch(
    work: Work,
    documents: readonly TrackedDocument[],
    taskOf: (document: TrackedDocument, dispatch: Dispatch) => RenderTask,
  ): Promise<void> {
    const { clock, config, queue, store } = this.#options;
    const now = clock.now();
    await someAtOnce(documents, async (document) => {
      work.dispatchedAt ??= clock.monotonicMs();
      const task = taskOf(document, {
        id: taskIdOf(document),
        queue: work.priority,
        deadlineMs: config.renderDeadlineMs,
        ...(document.lostAttempts > 0 && { exclusive: true }),
        enqueuedAt: now.toISOString(),
      });
      await queue.add(await withAccess(task, store));
      document.added = true;
      askAgain(document, now.getTime(), config.resyncMs);
    });
  }

  /** Fails all undecided documents with this error, except those whose file is stored. */
  async reject(work: Work, failure: DocumentFailure): Promise<void> {
    work.rejection = failure;
    await someAtOnce(openDocuments(work), async (document) => {
      if (document.added) await this.#options.queue.remove(taskIdOf(document));
      const stored = await this.#stored(work, document);
      end(document, stored?.status === 'completed' ? stored : { status: 'failed', failure });
    });
  }

  /** Removes the remaining tasks from the queue and the data from the store: nobody needs them any more. */
  async abandon(work: Work): Promise<void> {
    const { queue, store } = this.#options;
    await someAtOnce(openDocuments(work), (document) => queue.remove(taskIdOf(document)));
    const keys = work.documents.flatMap(({ key }) => key ?? []);
    await someAtOnce(keys, (key) => store.delete(dataKey(key)));
  }

  async #ask(work: Work, document: TrackedDocument, near: boolean): Promise<void> {
    const { config, queue } = this.#options;
    const state = await queue.state(taskIdOf(document), work.priority);
    document.active = state.status === 'active';
    if (state.status !== 'unknown') document.added = true;
    switch (state.status) {
      case 'completed':
      case 'failed':
        return report(document, state);
      case 'waiting':
      case 'active': {
        const longer = Math.max(config.resyncMs, Math.min(2 * document.askedAfterMs, LONGEST_SILENCE_MS));
        return askAgain(document, this.#now(), near || document.active ? config.resyncMs : longer);
      }
      case 'unknown':
        report(document, await this.#stored(work, document));
        document.added = false;
        document.askAt = Infinity;
    }
  }

  async #settle(work: Work, document: TrackedDocument): Promise<void> {
    const { outcome } = document;
    if (outcome?.status !== 'failed') return end(document, outcome);
    const { failure } = outcome;
    const delayMs = retryDelay(failure, document, this.#options.config);
    // An attempt that could not report, or whose report was lost, may still have stored the file.
    if (delayMs === undefined || isOfLostRenderer(failure)) {
      const stored = await this.#stored(work, document);
      if (stored?.status === 'completed') return end(document, stored);
    }
    if (delayMs === undefined) return end(document, { status: 'failed', failure: finalFailure(failure) });
    this.#retry(document, failure, delayMs);
  }

  #retry(document: TrackedDocument, failure: DocumentFailure, delayMs: number): void {
    document.lastFailure = failure;
    beginAttempt(document, nextAttempt(failure, document), this.#now() + delayMs);
  }

  /**
   * Returns the stored outcome of a document. A permanent error of the store fails the document; rejects with a
   * temporary error.
   */
  async #stored({ uid }: Work, { key }: TrackedDocument): Promise<RenderOutcome | undefined> {
    if (key === undefined) return undefined;
    try {
      return await findStoredOutcome(this.#options.store, key, uid);
    } catch (error) {
      return { status: 'failed', failure: workErrorOf(error) };
    }
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

/** Whether the current attempt can be dispatched: it is in no queue, and no lookup is pending. */
export function isIdle({ added, outcome, askAt, decided }: TrackedDocument): boolean {
  return !added && !outcome && !decided && askAt === Infinity;
}

/** Time, in milliseconds, at which a document needs attention even without an event. */
export function wakeAt(document: TrackedDocument): number {
  if (document.decided || document.outcome) return Infinity;
  return document.added ? document.askAt : document.retryAt;
}

function someAtOnce<I>(items: readonly I[], action: (item: I) => Promise<void>): Promise<void> {
  return inParallel(items, Math.min(AT_ONCE, items.length), action);
}

function end(document: TrackedDocument, outcome: RenderOutcome | undefined): void {
  report(document, outcome);
  document.decided = true;
}

function askAgain(document: TrackedDocument, now: number, afterMs: number): void {
  document.askedAfterMs = afterMs;
  document.askAt = now + afterMs;
}
