import type { RenderOutcome, RenderTask, TaskHandler } from './port.ts';
import { documentFailure } from '../service/document-error.ts';

/** The handler was aborted, or rejected although it must not. */
const HANDLER_REJECTED: RenderOutcome = {
  status: 'failed',
  failure: documentFailure('renderer_error', 'the renderer failed unexpectedly'),
};

/** Returns the outcome of a handler; never rejects. */
export async function outcomeOf(
  handler: TaskHandler,
  task: RenderTask,
  signal: AbortSignal,
): Promise<RenderOutcome> {
  try {
    return await handler(task, signal);
  } catch {
    return HANDLER_REJECTED;
  }
}

/** Returns false for a permanent outcome: a stored document, or a failure that no retry would change. */
export function mayRunAgain(outcome: RenderOutcome): boolean {
  return outcome.status === 'failed' && outcome.failure.retryable;
}
