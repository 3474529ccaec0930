import { ErrorCode, type Job } from 'bullmq';
import { RedisError } from '../../redis/redis-outages.ts';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { RENDERER_LOST, type RenderOutcome, type RenderTask } from '../port.ts';
import type { HeldTask } from '../task-worker.ts';
import type { TaskSeal } from './task-seal.ts';

/** Attempts to report an outcome while Redis is down, and the maximum pause between them: about a minute in total. */
const REPORT_ATTEMPTS = 34;
const REPORT_PAUSE_MS = 2000;

/** This worker no longer holds the task: Redis lost its data, or the task was considered stalled. */
const NOT_OURS: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/** Progress value for an exclusive task whose handler has begun. */
const BEGUN = 1;
/** Progress value for an active task that has been removed. Its worker reads it when it renews the lock. */
export const CANCELLED_PROGRESS = 'cancelled';

export interface BullMqTaskOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lockMs: number;
  readonly seal: TaskSeal;
  /** Called when the task is finished or returned to the queue. */
  readonly released: (task: BullMqTask) => void;
}

/** A BullMQ job that a worker holds until its token's lock in Redis expires. */
export interface HeldJob {
  readonly job: Job<string, string>;
  readonly token: string;
  /** Task in the queued job's data. */
  readonly task: RenderTask;
}

/** A task that a worker holds until its token's lock in Redis expires. */
export class BullMqTask implements HeldTask {
  readonly id: string;
  readonly task: RenderTask;
  readonly token: string;
  readonly #job: Job<string, string>;
  readonly #options: BullMqTaskOptions;
  #givenBack = false;

  constructor({ job, token, task }: HeldJob, options: BullMqTaskOptions) {
    this.id = task.id;
    this.task = task;
    this.token = token;
    this.#job = job;
    this.#options = options;
  }

  /** An outcome determined before any handler runs; undefined if the task has to run. */
  get knownOutcome(): RenderOutcome | undefined {
    // BullMQ sets this when the previous worker's lock has expired.
    const stalled = this.#job.deferredFailure !== undefined;
    return stalled && (!this.task.exclusive || this.#job.progress === BEGUN) ? RENDERER_LOST : undefined;
  }

  /** Records that the handler of an exclusive task has begun. Until then, the task is not lost when the worker ends. */
  async begin(): Promise<boolean> {
    if (!this.task.exclusive) return true;
    try {
      if ((await this.#job.extendLock(this.token, this.#options.lockMs)) === 0) return false;
      await this.#job.updateProgress(BEGUN);
      return true;
    } catch {
      // The outage is logged elsewhere. The task returns to the queue now or when its lock expires.
      return false;
    }
  }

  /**
   * Reports the outcome, retrying for about a minute while Redis is down. Without the report, the controller finds the
   * result in the object store.
   */
  async finish(outcome: RenderOutcome): Promise<void> {
    const { clock, logger, seal } = this.#options;
    const sealed = seal.sealOutcome(this.id, outcome);
    let failure: unknown;
    for (let attempt = 0; attempt < REPORT_ATTEMPTS && !this.#givenBack; attempt += 1) {
      try {
        const held = await unlessLost(this.#job.moveToCompleted(sealed, this.token, false));
        // Thousands of finished jobs are kept for ten minutes, and their data is not needed. The data is cleared only
        // after the task is completed: until then, another worker may take it.
        if (held) void this.#job.updateData('').catch(() => undefined);
        else logger.info({ task: this.id }, 'finished task is no longer active in the queue');
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
      // Only moveToWait checks the token. Another worker may be running the task by now.
      if ((await this.#job.extendLock(this.token, this.#options.lockMs)) !== 0) {
        if (this.task.exclusive) await unlessLost(this.#job.updateProgress(0));
        // BullMQ puts a task without priority ahead of all others and wakes a worker for it; otherwise it does not wake
        // one.
        await unlessLost(this.#job.changePriority({ priority: 0 }));
        await unlessLost(this.#job.moveToWait(this.token));
      }
    } catch (error) {
      const about = { err: new RedisError(error), task: this.id };
      this.#options.logger.warn(about, 'failed to return a task to the queue; retried when its lock expires');
    }
    this.#options.released(this);
  }
}

/**
 * Removes a job that a worker holds, so that the queue forgets its ID. If Redis is down, the job remains until its lock
 * expires.
 */
export async function forgetJob(job: Job<string, string>, token: string): Promise<void> {
  job.opts.removeOnComplete = true;
  try {
    await job.moveToCompleted('', token, false);
  } catch {
    // The outage is logged elsewhere.
  }
}

/** Returns false when this worker no longer holds the task. */
export async function unlessLost(move: Promise<unknown>): Promise<boolean> {
  try {
    await move;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.includes(error.code)) return false;
    throw error;
  }
}
