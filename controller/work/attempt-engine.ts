import { inputKeys } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../config.ts';
import { finalFailure, isOfLostRenderer, nextAttempt, retryDelay } from './attempts.ts';
import { findStoredOutcome } from './stored-outcome.ts';
import { withAccess, type Dispatch } from './render-task.ts';
import {
  beginAttempt,
  decide,
  isActive,
  isDispatched,
  openDocuments,
  report,
  taskIdOf,
  type DocumentState,
  type QueuedDocument,
  type TrackedDocument,
  type TrackedWork,
} from './tracked-work.ts';
import { workErrorOf } from './work-error.ts';
import type { DocumentFailure } from '@trifold/platform/errors/document-error.ts';

export interface AttemptEngineOptions {
  readonly queue: RenderQueue;
  readonly store: Pick<ObjectStore, 'delete' | 'head' | 'presign'>;
  readonly clock: Clock;
  readonly config: Pick<
    ControllerConfig,
    'renderDeadlineMs' | 'renderAttempts' | 'retryDelayMs' | 'resyncMs'
  >;
}

type Work = Pick<
  TrackedWork,
  'priority' | 'uid' | 'documents' | 'rejection' | 'dispatchedAt' | 'shownVersion'
>;

/** Maximum concurrent requests to the queue or the store per job or batch. */
const CONCURRENCY = 8;
/** Number of documents at the head of the queue that a renderer may have picked up. */
const LOOKED_AT = 10;
/** Maximum interval between lookups of the documents behind them, in milliseconds. */
const MAX_SILENCE_MS = 60_000;

/**
 * Drives the documents of a job or a batch through their attempts: dispatches them to the render queue, looks them up
 * in the queue and then in the store, and decides between another attempt and a final result. Records everything in the
 * tracked documents and does not write any resource.
 */
export class AttemptEngine {
  readonly #options: AttemptEngineOptions;

  constructor(options: AttemptEngineOptions) {
    this.#options = options;
  }

  /**
   * Looks up documents without a recent report: first in the queue, then in the store. If the queue has lost one of
   * them, it may have lost all. `showing`: also checks which of the first documents a renderer is working on.
   */
  async lookUp(work: Work, showing: boolean): Promise<void> {
    const now = this.#now();
    const open = openDocuments(work).filter(({ state }) => state.status !== 'ended');
    const near = new Set(open.slice(0, LOOKED_AT));
    const isDue = (document: TrackedDocument) =>
      askAt(document) <= now || (showing && isQueued(document) && near.has(document));
    const due = open.filter(isDue);
    const inQueue = due.filter(isQueued);
    const ask = (document: TrackedDocument) => this.#ask(work, document, near.has(document));
    await withConcurrency(due, ask);
    if (inQueue.every(isDispatched)) return;
    const asked = new Set(due);
    await withConcurrency(
      open.filter((document) => isQueued(document) && !asked.has(document)),
      ask,
    );
  }

  /** Decides what happens to documents that have an outcome: completed, another attempt, or failed. */
  async settle(work: Work): Promise<void> {
    await withConcurrency(openDocuments(work), (document) => this.#settle(work, document));
  }

  /** Adds the current attempt of each document to the queue. Idempotent. */
  async dispatch(
    work: Work,
    documents: readonly TrackedDocument[],
    taskOf: (document: TrackedDocument, dispatch: Dispatch) => RenderTask,
  ): Promise<void> {
    const { clock, config, queue, store } = this.#options;
    const now = clock.now();
    await withConcurrency(documents, async (document) => {
      work.dispatchedAt ??= clock.monotonicMs();
      work.shownVersion = undefined;
      const task = taskOf(document, {
        id: taskIdOf(document),
        queue: work.priority,
        deadlineMs: config.renderDeadlineMs,
        ...(document.lostAttempts > 0 && { exclusive: true }),
        enqueuedAt: now.toISOString(),
      });
      await queue.add(await withAccess(task, store));
      // Its outcome may have arrived in the meantime.
      if (document.state.status === 'waiting') document.state = queued(now.getTime(), config.resyncMs, false);
    });
  }

  /** Fails all undecided documents with this error, except those with a stored file. */
  async reject(work: Work, failure: DocumentFailure): Promise<void> {
    work.rejection = failure;
    await withConcurrency(openDocuments(work), async (document) => {
      if (isDispatched(document)) await this.#options.queue.remove(taskIdOf(document));
      const stored = await this.#stored(work, document);
      decide(document, stored?.status === 'completed' ? stored : { status: 'failed', failure });
    });
  }

  /** Removes the remaining tasks from the queue and the input from the store, because they are no longer needed. */
  async abandon(work: Work): Promise<void> {
    const { queue, store } = this.#options;
    await withConcurrency(openDocuments(work), (document) => queue.remove(taskIdOf(document)));
    const keys = work.documents.flatMap(({ key }) => (key === undefined ? [] : inputKeys(key)));
    await withConcurrency(keys, (key) => store.delete(key));
  }

  async #ask(work: Work, document: TrackedDocument, near: boolean): Promise<void> {
    const { queue } = this.#options;
    const before = document.state;
    const found = await queue.state(taskIdOf(document), work.priority);
    // Its outcome has arrived in the meantime.
    if (document.state !== before) return;
    const wasActive = isActive(document);
    switch (found.status) {
      case 'completed':
      case 'failed':
        return report(document, found, true);
      case 'waiting':
      case 'active':
        document.state = this.#askLater(before, near, found.status === 'active');
        break;
      case 'unknown': {
        const stored = await this.#stored(work, document);
        if (document.state === before) document.state = { status: 'waiting', notBefore: 0 };
        if (stored) report(document, stored, false);
      }
    }
    if (isActive(document) !== wasActive) work.shownVersion = undefined;
  }

  #askLater(before: DocumentState, near: boolean, active: boolean): QueuedDocument {
    const { resyncMs } = this.#options.config;
    const askedAfterMs = before.status === 'queued' ? before.askedAfterMs : 0;
    const longer = Math.max(resyncMs, Math.min(2 * askedAfterMs, MAX_SILENCE_MS));
    return queued(this.#now(), near || active ? resyncMs : longer, active);
  }

  async #settle(work: Work, document: TrackedDocument): Promise<void> {
    if (document.state.status !== 'ended') return;
    work.shownVersion = undefined;
    const { outcome } = document.state;
    if (outcome.status !== 'failed') return decide(document, outcome);
    const { failure } = outcome;
    const delayMs = retryDelay(failure, document, this.#options.config);
    // An attempt that could not report, or whose report was lost, may still have stored the file.
    if (delayMs === undefined || isOfLostRenderer(failure)) {
      const stored = await this.#stored(work, document);
      if (stored?.status === 'completed') return decide(document, stored);
    }
    if (delayMs === undefined) return decide(document, { ...outcome, failure: finalFailure(failure) });
    this.#retry(document, failure, delayMs);
  }

  #retry(document: TrackedDocument, failure: DocumentFailure, delayMs: number): void {
    document.lastFailure = failure;
    beginAttempt(document, nextAttempt(failure, document), this.#now() + delayMs);
  }

  /**
   * Returns the stored outcome of a document. A permanent store error makes the document fail; for a temporary one, the
   * call rejects.
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

/** Time, in milliseconds, at which a document must be processed even without an event. */
export function wakeAt({ state }: TrackedDocument): number {
  if (state.status === 'waiting') return state.notBefore;
  return state.status === 'queued' ? state.askAt : Infinity;
}

function askAt({ state }: TrackedDocument): number {
  if (state.status === 'unknown') return -Infinity;
  return state.status === 'queued' ? state.askAt : Infinity;
}

function isQueued({ state }: TrackedDocument): boolean {
  return state.status === 'queued';
}

function withConcurrency<I>(items: readonly I[], action: (item: I) => Promise<void>): Promise<void> {
  return inParallel(items, Math.min(CONCURRENCY, items.length), action);
}

function queued(now: number, askedAfterMs: number, active: boolean): QueuedDocument {
  return { status: 'queued', active, askAt: now + askedAfterMs, askedAfterMs };
}
