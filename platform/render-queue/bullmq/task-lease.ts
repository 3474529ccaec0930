import { ErrorCode, type Job } from 'bullmq';
import type { RenderOutcome, RenderTask } from '../port.ts';
import { RENDERER_LOST } from '../renderer-lost.ts';

/** A Redis that evicts keys can keep the id of a task and lose its data. */
const TASK_LOST: RenderOutcome = {
  status: 'failed',
  failure: { code: 'task_lost', message: 'the queue lost what it had to do', retryable: true },
};

/** This worker no longer holds the task: Redis lost its data, or the task was considered stalled. */
const NOT_OURS: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/** Progress of an exclusive task whose handler began. */
const BEGUN = 1;

/** A task that a worker holds until the Redis lock of its token expires. */
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

  /** The outcome that is fixed before a handler runs; undefined when the task has to run. */
  get foregone(): RenderOutcome | undefined {
    // BullMQ sets this when the lock of the previous worker expired.
    if (this.#job.deferredFailure !== undefined && this.#hadBegun) return RENDERER_LOST;
    return this.task.id === this.id ? undefined : TASK_LOST;
  }

  /** Records that the handler of an exclusive task begins. Until then the task is not lost when the worker ends. */
  async begin(): Promise<void> {
    await this.#job.updateProgress(BEGUN);
  }

  /** Returns false when this worker no longer holds the task. */
  complete(outcome: RenderOutcome): Promise<boolean> {
    return unlessLost(this.#job.moveToCompleted(outcome, this.token, false));
  }

  /** Puts the task back at the front of the queue. Returns false as `complete` does. */
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
