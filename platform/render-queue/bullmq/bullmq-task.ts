import { ErrorCode, type Job } from 'bullmq';
import { RedisError } from '../../redis/redis-error.ts';
import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import type { RenderOutcome, RenderTask } from '../port.ts';
import { RENDERER_LOST } from '../renderer-lost.ts';
import type { HeldTask } from '../task-worker.ts';

/** Attempts to report an outcome while Redis is down, and the longest pause between them: about a minute in total. */
const REPORT_ATTEMPTS = 34;
const REPORT_PAUSE_MS = 2000;

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
/** Progress of an active task that somebody removed. Its worker reads it when it renews the lock. */
export const CANCELLED_PROGRESS = 'cancelled';

export interface BullMqTaskOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lockMs: number;
  /** Called when the task was finished or given back. */
  readonly released: (task: BullMqTask) => void;
}

/** A task that a worker holds until the Redis lock of its token expires. */
export class BullMqTask implements HeldTask {
  readonly id: string;
  readonly task: RenderTask;
  readonly token: string;
  readonly #job: Job<RenderTask, RenderOutcome>;
  readonly #options: BullMqTaskOptions;
  #givenBack = false;

  constructor(job: Job<RenderTask, RenderOutcome>, token: string, options: BullMqTaskOptions) {
    this.id = job.id ?? '';
    this.task = job.data;
    this.token = token;
    this.#job = job;
    this.#options = options;
  }

  /** The outcome that is fixed before a handler runs; undefined when the task has to run. */
  get foregone(): RenderOutcome | undefined {
    // BullMQ sets this when the lock of the previous worker expired.
    const stalled = this.#job.deferredFailure !== undefined;
    if (stalled && (!this.task.exclusive || this.#job.progress === BEGUN)) return RENDERER_LOST;
    return this.task.id === this.id ? undefined : TASK_LOST;
  }

  /** Records that the handler of an exclusive task begins. Until then the task is not lost when the worker ends. */
  async begin(): Promise<boolean> {
    if (!this.task.exclusive) return true;
    try {
      if ((await this.#job.extendLock(this.token, this.#options.lockMs)) === 0) return false;
      await this.#job.updateProgress(BEGUN);
      return true;
    } catch {
      // The outage is logged elsewhere. The task goes back, or waits until its lock expires.
      return false;
    }
  }

  /**
   * Reports the outcome, retrying for about a minute while Redis is down. Without the report, the controller finds the
   * result in the object store.
   */
  async finish(outcome: RenderOutcome): Promise<void> {
    const { clock, logger } = this.#options;
    let failure: unknown;
    for (let attempt = 0; attempt < REPORT_ATTEMPTS && !this.#givenBack; attempt += 1) {
      try {
        const held = await unlessLost(this.#job.moveToCompleted(outcome, this.token, false));
        if (!held) logger.info({ task: this.id }, 'finished task is no longer active in the queue');
        return this.#options.released(this);
      } catch (error) {
        failure = error;
      }
      const pauseMs = Math.min(REPORT_PAUSE_MS, 100 * 2 ** attempt);
      await clock.sleep(pauseMs);
    }
    logger.warn({ err: new RedisError(failure), task: this.id }, 'failed to report an outcome');
    this.#options.released(this);
  }

  async giveBack(): Promise<void> {
    this.#givenBack = true;
    try {
      // Only moveToWait checks the token. Another worker may run the task by now.
      if ((await this.#job.extendLock(this.token, this.#options.lockMs)) !== 0) {
        if (this.task.exclusive) await unlessLost(this.#job.updateProgress(0));
        // BullMQ puts a task without priority ahead of all others and wakes a worker for it; otherwise it wakes none.
        await unlessLost(this.#job.changePriority({ priority: 0 }));
        await unlessLost(this.#job.moveToWait(this.token));
      }
    } catch (error) {
      const about = { err: new RedisError(error), task: this.id };
      this.#options.logger.warn(about, 'failed to return a task, it waits until its lock expires');
    }
    this.#options.released(this);
  }
}

/** Returns false when this worker no longer holds the task. */
async function unlessLost(move: Promise<unknown>): Promise<boolean> {
  try {
    await move;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.includes(error.code)) return false;
    throw error;
  }
}
