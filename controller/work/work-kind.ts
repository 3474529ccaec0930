import type { Batch, GenerationJob } from '@trifold/crds';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { Dispatch } from './render-task.ts';
import type { TrackedDocument, TrackedWork } from './tracked-work.ts';

export type StatusOf<R extends GenerationJob | Batch> = NonNullable<R['status']>;

/** A job or batch and its state during one reconcile. */
export interface WorkContext<R, T> {
  readonly resource: R;
  readonly tracked: T;
  readonly signal: AbortSignal;
}

/** Returns the task of a document for an attempt. */
export type TaskOf = (document: TrackedDocument, dispatch: Dispatch) => RenderTask;

/** Differences between unfinished jobs and unfinished batches. */
export interface WorkKind<R extends GenerationJob | Batch, T extends TrackedWork> {
  /** Name of the kind in event messages. */
  readonly noun: string;
  /** Minimum time between two progress writes across all objects of the kind, in milliseconds. */
  readonly betweenProgressMs: number;
  /**
   * Whether another attempt waits for the paced progress write that records it, rather than causing a separate write.
   */
  readonly pacesAttempts: boolean;
  /** Whether a client deleted the document or batch. */
  isDeleted(resource: R): boolean;
  /**
   * Decides what is rendered, no matter how long the object then waits to be dispatched. Returns the status that
   * records the decision; undefined if it is already recorded. Throws WorkError.
   */
  accept(context: WorkContext<R, T>): Promise<StatusOf<R> | undefined>;
  /** Prepares an accepted object before any of its documents are dispatched. Throws WorkError. */
  prepare(context: WorkContext<R, T>): Promise<TaskOf>;
  /**
   * Returns the status of the unfinished object. Like the final status, it contains the event that it causes and the
   * event's endpoints: one write shows both, so that no event is lost in between.
   */
  progressStatus(resource: R, tracked: T, now: Date): StatusOf<R>;
  /** Returns the final status, once all documents are decided. */
  finishedStatus(resource: R, tracked: T, now: Date): StatusOf<R>;
  /** Records, in metrics and logs, what a write has just made visible for the first time. */
  written(before: R, after: R): void;
}
