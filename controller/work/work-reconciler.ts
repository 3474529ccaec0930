import {
  isFinished,
  type Batch,
  type BatchItemResult,
  type GenerationJob,
  type GenerationPhase,
} from '@trifold/crds';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { CANCELLED } from '@trifold/platform/records/documents/finished-document.ts';
import { expiresAtOf } from '@trifold/platform/records/documents/accepted-work.ts';
import type { ControllerConfig } from '../config.ts';
import { wakeAt, type AttemptEngine } from './attempt-engine.ts';
import type { DispatchWindow } from './dispatch-window.ts';
import { retryOnConflict } from '@trifold/platform/kubernetes/controller/retry-on-conflict.ts';
import { StatusWriter } from '@trifold/platform/kubernetes/controller/status-writer.ts';
import {
  openDocuments,
  outcomeOf,
  type TrackedDocument,
  type TrackedIndex,
  type TrackedWork,
} from './tracked-work.ts';
import { WorkError, workErrorOf } from './work-error.ts';
import type { StatusOf, WorkContext, WorkKind } from './work-kind.ts';
import { WritePacing } from './write-pacing.ts';

export interface WorkDependencies<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly kind: WorkKind<R, T>;
  readonly client: Pick<ResourceClient<R>, 'find' | 'replaceStatus'>;
  readonly cache: MutableLister<R>;
  readonly tracked: TrackedIndex<R, T>;
  readonly engine: AttemptEngine;
  readonly window: Pick<DispatchWindow, 'enter' | 'leave'>;
  readonly clock: Clock;
  readonly config: Pick<ControllerConfig, 'progressAfterMs' | 'resyncMs'>;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Minimum time between two progress writes of one object, in milliseconds. */
const BETWEEN_WRITES_MS = 1000;

/**
 * Drives a job or a batch from creation to Completed or Failed. The resource and the stored files are the source of
 * truth; the queue and this process's memory only make it fast. A crash may follow any step: the next reconcile, in any
 * process, detects what was done and continues, and a document is rendered at most one extra time.
 */
export class WorkReconciler<R extends GenerationJob | Batch, T extends TrackedWork> implements Reconciler {
  readonly #d: WorkDependencies<R, T>;
  readonly #pacing: WritePacing;
  readonly #statuses: StatusWriter<R>;

  constructor(dependencies: WorkDependencies<R, T>) {
    this.#d = dependencies;
    const { kind, client, cache, events, clock } = dependencies;
    this.#pacing = new WritePacing(clock, kind.betweenProgressMs);
    this.#statuses = new StatusWriter<R>({ noun: kind.noun, client, cache, events });
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { cache, client } = this.#d;
    return retryOnConflict(key, { cache, client, signal }, (resource) =>
      this.#reconcile(key, resource, signal),
    );
  }

  async #reconcile(key: ObjectKey, resource: R | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    const { tracked: index, engine } = this.#d;
    const before = index.find(key);
    const gone = !resource || resource.metadata.deletionTimestamp !== undefined;
    if (before && (gone || before.uid !== resource.metadata.uid)) {
      await engine.abandon(before);
      this.#forget(before);
    }
    if (gone) return;
    if (isFinished(resource)) {
      if (before) this.#forget(before);
      return;
    }
    const context = { resource, tracked: index.track(resource), signal };
    try {
      return await this.#advance(context);
    } catch (error) {
      await engine.reject(context.tracked, workErrorOf(error));
      return await this.#finish(context);
    }
  }

  async #advance(context: WorkContext<R, T>): Promise<ReconcileResult> {
    const { config, engine } = this.#d;
    const { resource, tracked } = context;
    if (this.#mustWait(tracked)) return this.#wait(context);
    const showing = tracked.slot === undefined && this.#hiddenMs(tracked) <= 0;
    await engine.lookUp(tracked, showing);
    await engine.settle(tracked);
    if (openDocuments(tracked).length === 0) return this.#finish(context);
    this.#rejectUnwanted(resource);
    const dispatched = await this.#dispatch(context);
    context.signal.throwIfAborted();
    const shown = await this.#show({ ...context, resource: dispatched });
    // Dispatches the new attempts that the status now records.
    if (shown.resource !== dispatched) await this.#dispatch({ ...context, resource: shown.resource });
    const now = this.#now();
    // An attempt not yet recorded in the status waits for the next write.
    const waits = openDocuments(tracked).map((document) => wakeAt(document) - now);
    const next = Math.min(...waits.filter((wait) => wait > 0), shown.againInMs, config.resyncMs);
    return { requeueAfterMs: next };
  }

  #mustWait(tracked: T): boolean {
    return !this.#d.window.enter(tracked) && tracked.documents.every((document) => !outcomeOf(document));
  }

  /** The window wakes the object when its turn comes. */
  async #wait(context: WorkContext<R, T>): Promise<ReconcileResult> {
    this.#rejectUnwanted(context.resource);
    await this.#accept(context);
    return { requeueAfterMs: expiresAtOf(context.resource).getTime() - this.#now() };
  }

  /** Adds due documents to the queue, but another attempt only once the status records it. */
  async #dispatch(context: WorkContext<R, T>): Promise<R> {
    const { tracked } = context;
    const due = this.#due(tracked).filter(isRecorded);
    if (due.length === 0) return context.resource;
    const resource = await this.#accept(context);
    const taskOf = await this.#d.kind.prepare({ ...context, resource });
    await this.#d.engine.dispatch(tracked, due, taskOf);
    return resource;
  }

  /**
   * Shows the progress, and records further attempts before they begin, so that a crash cannot give a document more
   * attempts than allowed. An object that finishes quickly gets no progress write, only the final one.
   */
  async #show(context: WorkContext<R, T>): Promise<{ resource: R; againInMs: number }> {
    const { resource, tracked } = context;
    const waitMs = this.#mayWait(tracked) ? this.#turnIn(resource, tracked) : 0;
    if (waitMs > 0) return { resource, againInMs: waitMs };
    const now = this.#d.clock.now();
    const status = this.#d.kind.progressStatus(resource, tracked, now);
    tracked.slot = undefined;
    tracked.shownAt = this.#d.clock.monotonicMs();
    const written = await this.#write(context, status);
    return { resource: written, againInMs: Infinity };
  }

  #mayWait(tracked: T): boolean {
    return this.#d.kind.pacesAttempts || this.#due(tracked).every(isRecorded);
  }

  /**
   * Returns the milliseconds until the object may write its progress: at most once a second, and only on its turn among
   * all objects of its kind. Infinity if there is nothing to write.
   */
  #turnIn(resource: R, tracked: T): number {
    const hiddenMs = this.#hiddenMs(tracked);
    if (hiddenMs > 0) return hiddenMs;
    if (tracked.slot === undefined) {
      if (this.#isShown(resource, tracked)) return Infinity;
      tracked.slot = this.#pacing.draw();
    }
    return tracked.slot === undefined ? Infinity : this.#pacing.waitFor(tracked.slot);
  }

  /** Whether the object already shows its progress. Compared once after each change. */
  #isShown(resource: R, tracked: T): boolean {
    const { resourceVersion } = resource.metadata;
    if (tracked.shownVersion === resourceVersion) return true;
    if (!isShown(resource, this.#d.kind.progressStatus(resource, tracked, this.#d.clock.now()))) return false;
    tracked.shownVersion = resourceVersion;
    return true;
  }

  #hiddenMs({ dispatchedAt = -Infinity, shownAt = -Infinity }: T): number {
    const { clock, config } = this.#d;
    return Math.max(dispatchedAt + config.progressAfterMs, shownAt + BETWEEN_WRITES_MS) - clock.monotonicMs();
  }

  #due(tracked: T): TrackedDocument[] {
    const now = this.#now();
    return tracked.documents.filter(({ state }) => state.status === 'waiting' && state.notBefore <= now);
  }

  async #accept(context: WorkContext<R, T>): Promise<R> {
    const status = await this.#d.kind.accept(context);
    return status ? this.#write(context, status) : context.resource;
  }

  /** Throws WorkError if the object must no longer be generated. */
  #rejectUnwanted(resource: R): void {
    if (this.#d.kind.isDeleted(resource)) throw new WorkError(CANCELLED.code, CANCELLED.message);
    if (this.#d.clock.now() < expiresAtOf(resource)) return;
    throw new WorkError('expired', 'the document was not generated before it expired');
  }

  async #finish(context: WorkContext<R, T>): Promise<void> {
    const { resource, tracked } = context;
    await this.#write(context, this.#d.kind.finishedStatus(resource, tracked, this.#d.clock.now()));
  }

  /** Rejects with a Conflict if the object has changed since it was read. */
  async #write({ resource, tracked, signal }: WorkContext<R, T>, status: StatusOf<R>): Promise<R> {
    const written = await this.#statuses.replace(resource, status, signal);
    this.#d.tracked.update(tracked, written);
    this.#d.kind.written(resource, written);
    return written;
  }

  #forget(tracked: T): void {
    this.#d.tracked.forget(tracked);
    this.#d.window.leave(tracked);
  }

  #now(): number {
    return this.#d.clock.now().getTime();
  }
}

interface Progress {
  readonly phase?: GenerationPhase;
  readonly attempt?: number;
  readonly completed?: number;
  readonly failed?: number;
  readonly items?: readonly BatchItemResult[];
}

/** Whether the object already shows this progress. */
function isShown({ status }: { readonly status?: Progress }, next: Progress): boolean {
  const shownOf = ({ phase, attempt, completed, failed, items }: Progress) =>
    [phase, attempt, completed, failed, items] as const;
  return isDeepStrictEqual(shownOf(status ?? {}), shownOf(next));
}

function isRecorded({ attempt, recordedAttempt }: TrackedDocument): boolean {
  return attempt <= recordedAttempt;
}
