import type { DocumentResult, DocumentWarning, GenerationJobStatus, RenderOptions } from '@trifold/crds';
import type { PresignedRequest } from '../object-store/port.ts';
import type { AcceptedDocument } from '../records/documents/accepted-work.ts';
import { PRIORITIES, type Priority } from '../scheduling/priority.ts';
import { TrifoldError } from '../errors/trifold-error.ts';
import { documentFailure, type DocumentFailure } from '../errors/document-error.ts';

/**
 * A queue for each priority; only interactive tasks take a worker's last slot. `bounds/queue-bounds.ts` limits the
 * tasks in them.
 */
export const QUEUE_NAMES = PRIORITIES;

/**
 * One document to render. It contains references to content in the object store, and small data itself if the queue
 * allows.
 */
export interface RenderTask {
  /** `<uid>-<attempt>`, never reused. No colon. */
  readonly id: string;
  readonly queue: Priority;
  /** Namespace; an account must not see another account's data. */
  readonly account: string;
  /**
   * Copied into the file's metadata, so that the file describes the document after the resource is deleted. Excludes
   * the client's metadata.
   */
  readonly document: AcceptedDocument;
  /** Key of the template's revision. */
  readonly revisionKey: string;
  /** Key of the JSON data. */
  readonly dataKey: string;
  /** The JSON data itself, when the queue carries it (`carriedDataBytes`); then nothing is stored at `dataKey`. */
  readonly data?: string;
  /** Keys of the files to attach, as `packAttachments` packs them. @default none */
  readonly attachmentKeys?: readonly string[];
  /** Key where the result is stored, once, if absent. */
  readonly resultKey: string;
  /** The request's options; the revision contains the template's defaults. */
  readonly options: RenderOptions;
  /** Deadline of the attempt in milliseconds, from the moment a renderer takes the task. */
  readonly deadlineMs: number;
  /**
   * The worker that takes it waits for its other active tasks to end before it runs this one, and takes no other task
   * until this one has ended. The wait is not part of the deadline. @default false
   */
  readonly exclusive?: boolean;
  /** Time at which the controller added it, in ISO 8601. */
  readonly enqueuedAt: string;
  /**
   * ISO 8601. An external queue forgets the task if no worker has begun it by then; an in-process queue ignores it.
   * @default never
   */
  readonly expiresAt?: string;
  /**
   * Presigned requests for its objects, for a renderer without credentials. @default the renderer uses the store
   * directly
   */
  readonly presigned?: readonly PresignedRequest[];
}

/** Information that a renderer has about a document when an attempt fails. */
export interface AttemptProgress {
  /** Possible problems found before the failure. @default none */
  readonly warnings?: readonly DocumentWarning[];
  /** Durations of the steps that began. The last one is the step that failed. */
  readonly timings?: NonNullable<GenerationJobStatus['timings']>;
  /** ISO 8601. */
  readonly startedAt?: string;
}

/**
 * `result`: the stored object's metadata contains the same information, except for the warnings; a result read from it
 * has none. `progress`: absent if no renderer reported the failure.
 */
export type RenderOutcome =
  | { readonly status: 'completed'; readonly result: DocumentResult }
  | {
      readonly status: 'failed';
      readonly failure: DocumentFailure;
      readonly progress?: AttemptProgress;
    };

/** Outcome of a task whose renderer ended while the task was active. */
export const RENDERER_LOST: RenderOutcome = {
  status: 'failed',
  failure: documentFailure('renderer_lost', 'the renderer stopped before the document was finished'),
};

/** State of a task. `unknown`: never added, forgotten, or lost with the queue's memory. */
export type TaskState =
  | { readonly status: 'waiting' }
  | { readonly status: 'active' }
  | RenderOutcome
  | { readonly status: 'unknown' };

export interface WorkerOptions {
  /** Maximum number of active tasks across all queues. @default 1 */
  concurrency: number;
  /**
   * Maximum number of active batch tasks among them, and of all non-interactive tasks during and shortly after
   * interactive ones. @default concurrency − 1, at least 1
   */
  batchConcurrency?: number;
}

/** Renders one task. Never rejects because of the task itself: a failing task results in a failed outcome. */
export type TaskHandler = (task: RenderTask, signal: AbortSignal) => Promise<RenderOutcome>;

/** A running consumer. */
export interface QueueWorker {
  /**
   * Takes no new task and waits up to `graceMs` for active tasks; then aborts their signals, and unfinished tasks
   * return to the queue.
   */
  close(graceMs: number): Promise<void>;
}

/** Retention of finished tasks, in milliseconds. */
export const FINISHED_MS = 10 * 60 * 1000;
/** Maximum number of finished tasks kept; the newest are kept. */
export const FINISHED_LIMIT = 10_000;

/** Throws TypeError unless a queue with this carried-data limit may accept the task. */
export function assertAddable({ id, data = '' }: RenderTask, carriedDataBytes: number): void {
  if (id === '' || id.includes(':')) {
    throw new TypeError(`the task ID ${JSON.stringify(id)} is empty or contains a colon`);
  }
  if (Buffer.byteLength(data) > carriedDataBytes) {
    throw new TypeError(`the data of task ${id} exceeds ${carriedDataBytes} bytes`);
  }
}

/** The queue is unavailable: Redis is down, or this queue is closed. The call can be retried. */
export class RenderQueueError extends TrifoldError<'unavailable' | 'closed'> {
  constructor(code: 'unavailable' | 'closed', message: string, cause?: unknown) {
    super(code, message, { retryable: code === 'unavailable', cause });
  }
}

/**
 * Wakes renderers for work and the controller for results. It is not the source of truth: the resource is, and the
 * result is the stored object. A queue may forget everything; the controller then adds the tasks again.
 *
 * Interactive tasks run first, then asynchronous ones, then batches. While higher queues have tasks, each lower one
 * gets its share of the turns, so that nothing starves. Within each queue, accounts take turns: however many tasks of
 * one account are waiting, they delay another account's task by only one turn. Tasks of one account run in the order in
 * which they were added.
 *
 * Errors: while the queue is unavailable, every call rejects within a few seconds with a RenderQueueError
 * (`retryable`).
 */
export interface RenderQueue {
  /**
   * Maximum size of the data in a task, in bytes. Carrying small data in the task saves two requests to the object
   * store.
   */
  readonly carriedDataBytes: number;
  /**
   * Adds a task. Does nothing when the ID is already known, in any state. Throws TypeError when the ID is empty or
   * contains a colon, or when the task carries more data than `carriedDataBytes`.
   */
  add(task: RenderTask): Promise<void>;
  /**
   * Returns the state of the task. A finished task is remembered for at least ten minutes, up to the newest 10,000. A
   * task whose renderer died fails with the retryable code `renderer_lost` once that is detected; further attempts are
   * up to the caller. A task that was returned, or an exclusive one that was still waiting in its worker, is not lost:
   * it waits again. `queue`: the queue that it was added to, if known; the others are searched only if that one does
   * not have it.
   */
  state(id: string, queue?: Priority): Promise<TaskState>;
  /**
   * Removes a waiting task. Aborts the signal of an active one, best effort and within seconds; it then fails with the
   * code `cancelled`, unless it has already stored its result.
   */
  remove(id: string): Promise<void>;
  /**
   * Calls the listener for finished tasks, best effort and possibly twice. Returns a function that removes the
   * listener.
   */
  onFinished(listener: (id: string, outcome: RenderOutcome) => void): () => void;
  /** Starts consuming. */
  work(handler: TaskHandler, options: WorkerOptions): QueueWorker;
  /** Number of waiting tasks per queue. */
  depth(): Promise<Record<Priority, number>>;
  /** Resolves when the queue responds. For readiness. */
  check(): Promise<void>;
  close(): Promise<void>;
}
