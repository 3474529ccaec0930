import { ErrorCode, type Job } from 'bullmq';
import type { RenderOutcome, RenderTask } from '../port.ts';
import { RENDERER_LOST } from '../renderer-lost.ts';

/** A Redis that evicts keys keeps the id of a task and throws the task away. */
const TASK_LOST: RenderOutcome = {
  status: 'failed',
  failure: { code: 'task_lost', message: 'the queue lost what it had to do', retryable: true },
};

/** The queue does not have the task in this worker's hand any more: it forgot everything, or took it for stalled. */
const NOT_OURS: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/** Progress of an exclusive task whose handler began. */
const BEGUN = 1;

/** A task in a worker's hand, until the lock in Redis runs out that the token stands for. */
export class TaskLease {
  readonly id: string;
  readonly task: RenderTask;
  readonly token: string;
  readonly #job: Job<RenderTask, RenderOutcome>;

  constructor(job: Job<RenderTask, RenderOutcome>, token: string) {
    this.id = job.id ?? '';
    this.task = job.data;
    this.token = token;
    this.#job = job;
  }

  /** What has become of the task before anybody works on it; undefined when it is to be worked on. */
  get foregone(): RenderOutcome | undefined {
    // BullMQ marks it so when the worker that had it let its lock run out.
    if (this.#job.deferredFailure !== undefined && this.#hadBegun) return RENDERER_LOST;
    return this.task.id === this.id ? undefined : TASK_LOST;
  }

  /** Records that the handler of an exclusive task begins. Until then a worker that ends has not lost the task. */
  async begin(): Promise<void> {
    await this.#job.updateProgress(BEGUN);
  }

  /** False when the queue does not have the task in this worker's hand any more. */
  complete(outcome: RenderOutcome): Promise<boolean> {
    return unlessLost(this.#job.moveToCompleted(outcome, this.token, false));
  }

  /** Puts it back before what came later. False as for `complete`. */
  async giveBack(): Promise<boolean> {
    if (this.task.exclusive) await unlessLost(this.#job.updateProgress(0));
    return unlessLost(this.#job.moveToWait(this.token));
  }

  get #hadBegun(): boolean {
    return !this.task.exclusive || this.#job.progress === BEGUN;
  }
}

async function unlessLost(move: Promise<unknown>): Promise<boolean> {
  try {
    await move;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.includes(error.code)) return false;
    throw error;
  }
}
