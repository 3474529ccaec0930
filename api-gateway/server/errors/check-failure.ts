import { ChildEnded } from '@trifold/platform/child-process/bounded-child.ts';
import { TimeLimitError } from '@trifold/platform/child-process/bounded-pool.ts';
import type { ApiError } from './api-error.ts';

/** Errors for input that a check process cannot check within its bounds. */
export interface BoundErrors {
  /** The check took too long; `error` says how long it may take. */
  readonly tooSlow: (error: TimeLimitError) => ApiError;
  /** The check needed too much memory. */
  readonly tooLarge: (error: ChildEnded) => ApiError;
}

/** The answer for a check that ended at a bound because of its input. Any other error stays as it is. */
export function checkFailure(error: unknown, { tooSlow, tooLarge }: BoundErrors): unknown {
  if (error instanceof TimeLimitError) return tooSlow(error);
  return error instanceof ChildEnded && error.outOfMemory ? tooLarge(error) : error;
}
