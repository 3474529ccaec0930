import type { DocumentFormat, KeyMode, RenderOptions } from '@trifold/crds';

/** The two queues; batch work never takes a renderer's last slot. */
export type QueueName = 'interactive' | 'batch';

/** One document to render. References, so that content stays in the object store; small data as the queue allows. */
export interface RenderTask {
  /** `<uid>-<attempt>`; unique for ever. No colon. */
  readonly id: string;
  readonly queue: QueueName;
  /** Namespace; nothing of one account may be seen by another. */
  readonly account: string;
  /** Name of the GenerationJob (`gen-…` or what kubectl called it). */
  readonly job: string;
  /** uid of the GenerationJob. */
  readonly uid: string;
  readonly format: DocumentFormat;
  /** `test`: every page carries the watermark. */
  readonly mode: KeyMode;
  /** ISO 8601, when the document was accepted: the date in the file. */
  readonly createdAt: string;
  /** Key of the template's revision. */
  readonly revisionKey: string;
  /** Key of the JSON data. */
  readonly dataKey: string;
  /** The JSON data itself, when the queue carries it (`carriedDataBytes`); then nothing is stored at `dataKey`. */
  readonly data?: string;
  /** Where the result is put, once, if absent. */
  readonly resultKey: string;
  /** The request's own options; the revision holds the template's defaults. */
  readonly options: RenderOptions;
  /** Copied into the result's metadata, so that it answers for the document after the resource is gone. */
  readonly facts: Readonly<Record<string, string>>;
  /** Milliseconds the whole attempt may take from the moment a renderer takes it. */
  readonly deadlineMs: number;
  /**
   * The worker that takes it waits until its other tasks have ended, and takes no other until this one has. The wait is
   * not part of the deadline. @default false
   */
  readonly exclusive?: boolean;
  /** ISO 8601, when the controller added it. */
  readonly enqueuedAt: string;
}

/** What a renderer says of a finished document; the same facts are in the stored object's metadata. */
export interface RenderResult {
  /** Bytes. */
  readonly size: number;
  readonly pages: number;
  readonly sha256: string;
  readonly renderTimeMs: number;
  readonly timings: { queuedMs: number; mergeMs: number; printMs: number; storeMs: number };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** Why a task failed. `retryable`: another attempt may help (a browser died), or it never will (the data is wrong). */
export interface RenderFailure {
  readonly code: string;
  /** For the caller's eyes: says what to do, holds no document data. */
  readonly message: string;
  readonly retryable: boolean;
}

export type RenderOutcome =
  | { readonly status: 'completed'; readonly result: RenderResult }
  | { readonly status: 'failed'; readonly failure: RenderFailure };

/** Where a task is. `unknown`: never added, forgotten, or lost with the queue's memory. */
export type TaskState =
  | { readonly status: 'waiting' }
  | { readonly status: 'active' }
  | RenderOutcome
  | { readonly status: 'unknown' };

export interface WorkerOptions {
  /** Tasks of both queues in hand at once. @default 1 */
  concurrency: number;
  /** Of these, how many batch tasks at most. @default concurrency − 1, at least 1 */
  batchConcurrency?: number;
}

/** Renders one task. It never rejects for a reason of the task's own: that is a failed outcome. */
export type TaskHandler = (task: RenderTask, signal: AbortSignal) => Promise<RenderOutcome>;

/** A running consumer. */
export interface QueueWorker {
  /**
   * Takes no new task and waits for those in hand, at most `graceMs`; then aborts their signals, and what is not
   * finished goes back to waiting.
   */
  close(graceMs: number): Promise<void>;
}

/** The queue cannot be used now: Redis is away, or this queue is closed. What was asked may be asked again. */
export class RenderQueueError extends Error {
  override readonly name = 'RenderQueueError';
  readonly code: 'unavailable' | 'closed';
  readonly retryable: boolean;

  constructor(code: 'unavailable' | 'closed', message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable';
  }
}

/**
 * Wakes renderers for work and the controller for results. Not the truth: that is the resource; the result is the
 * stored object. A queue may forget everything; the controller then adds again.
 *
 * Within each of the two queues accounts have turns: a line of one account, however long, holds up another account's
 * task by a turn only. Tasks of one account go in the order in which they came.
 *
 * Errors: while the queue is away every call rejects within a few seconds with a RenderQueueError (`retryable`).
 */
export interface RenderQueue {
  /**
   * Bytes of data that a task may carry. 0, references only, for a queue whose memory is another process' or outlives
   * the document; a queue inside the process spares small data the way through the store.
   */
  readonly carriedDataBytes: number;
  /**
   * Adds a task. A task whose id is known already (in whatever state) is left as it is. TypeError when the id is empty
   * or holds a colon, or when the task carries more data than `carriedDataBytes`.
   */
  add(task: RenderTask): Promise<void>;
  /**
   * Where the task is; a finished one is remembered for ten minutes at least, the newest 10,000 at most. One whose
   * renderer died fails, retryable, with the code `renderer_lost`, once that is noticed: further attempts are the
   * caller's business. A task that was given back, or an exclusive one that still waited in its worker, is not lost: it
   * waits again. `queue`: the one that it was added to, if that is known; the other is then not asked.
   */
  state(id: string, queue?: QueueName): Promise<TaskState>;
  /** Removes a task that waits; one in hand is not stopped. */
  remove(id: string): Promise<void>;
  /** Tells of finished tasks, best effort and perhaps twice. Returns how to stop listening. */
  onFinished(listener: (id: string, outcome: RenderOutcome) => void): () => void;
  /** Starts consuming. */
  work(handler: TaskHandler, options: WorkerOptions): QueueWorker;
  /** Tasks that wait, per queue. */
  depth(): Promise<Record<QueueName, number>>;
  /** Resolves when the queue answers. For readiness. */
  check(): Promise<void>;
  close(): Promise<void>;
}
