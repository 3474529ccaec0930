import { ErrorCode, type Job } from 'bullmq';
import type { RenderOutcome, RenderTask } from './port.ts';

/** The queue does not have the task in this worker's hand any more: it forgot everything, or took it for stalled. */
const NOT_OURS: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/** A task in a worker's hand, until the lock in Redis runs out that the token stands for. */
export class TaskLease {
  readonly task: RenderTask;
  readonly token: string;
  readonly #job: Job<RenderTask, RenderOutcome>;

  constructor(job: Job<RenderTask, RenderOutcome>, token: string) {
    this.task = job.data;
    this.token = token;
    this.#job = job;
  }

  /** The worker that had it before died with it. */
  get stalled(): boolean {
    return this.#job.deferredFailure !== undefined;
  }

  /** False when the queue does not have the task in this worker's hand any more. */
  complete(outcome: RenderOutcome): Promise<boolean> {
    return unlessLost(this.#job.moveToCompleted(outcome, this.token, false));
  }

  /** Puts it back before what came later. False as for `complete`. */
  giveBack(): Promise<boolean> {
    return unlessLost(this.#job.moveToWait(this.token));
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
