import { ChildEnded } from '@trifold/platform/child-process/bounded-child.ts';
import { TimeLimitError } from '@trifold/platform/child-process/bounded-pool.ts';
import type { ApiError } from './api-error.ts';

/** Errors for input that a check process cannot check within its limits. */
export interface BoundErrors {
  /** The check took too long; `error` says how long it may take. */
  readonly tooSlow: (error: TimeLimitError) => ApiError;
  /** The check needed too much memory. */
  readonly tooLarge: (error: ChildEnded) => ApiError;
}

/** Returns the ApiError for a check that exceeded a limit because of its input. Returns any other error unchanged. */
export function checkFailure(error: unknown, { tooSlow, tooLarge }: BoundErrors): unknown {
  if (error instanceof TimeLimitError) return tooSlow(error);
  return error instanceof ChildEnded && error.outOfMemory ? tooLarge(error) : error;
}
