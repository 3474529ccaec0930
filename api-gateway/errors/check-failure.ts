import { ChildEnded } from '@trifold/platform/merging/bounded-child.ts';
import { PoolFullError, TimeLimitError } from '@trifold/platform/merging/bounded-pool.ts';
import { unavailable, type ApiError } from './api-error.ts';

/** Errors for input that a check process cannot check within its bounds. */
export interface BoundErrors {
  /** The check took too long; `error` says how long it may take. */
  readonly tooSlow: (error: TimeLimitError) => ApiError;
  /** The check needed too much memory. */
  readonly tooLarge: (error: ChildEnded) => ApiError;
}

/** The answer for a check that failed with `error`; 503 when the input is not to blame. Any other error stays. */
export function checkFailure(error: unknown, { tooSlow, tooLarge }: BoundErrors): unknown {
  if (error instanceof TimeLimitError) return tooSlow(error);
  if (error instanceof PoolFullError) {
    return unavailable('Too many requests wait to be checked. Try again in a moment.', undefined, error);
  }
  if (!(error instanceof ChildEnded)) return error;
  if (error.outOfMemory) return tooLarge(error);
  return unavailable('The process that checked the request ended. Try again.', undefined, error);
}
