import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import type { ApiError } from './api-error.ts';

/** Errors for input that a check process cannot check within its limits. */
export interface BoundErrors {
  /** The check took too long; `error` says how long it may take. */
  readonly tooSlow: (error: ChildProcessError) => ApiError;
  /** The check needed too much memory. */
  readonly tooLarge: (error: ChildProcessError) => ApiError;
}

/** Returns the ApiError for a check that exceeded a limit because of its input. Returns any other error unchanged. */
export function checkFailure(error: unknown, { tooSlow, tooLarge }: BoundErrors): unknown {
  if (!(error instanceof ChildProcessError)) return error;
  if (error.code === 'time_limit') return tooSlow(error);
  return error.code === 'out_of_memory' ? tooLarge(error) : error;
}
