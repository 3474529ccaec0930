import type { RenderOutcome, RenderTask, TaskHandler } from './port.ts';

/** The handler was aborted, or rejected although it must not. */
const HANDLER_REJECTED: RenderOutcome = {
  status: 'failed',
  failure: { code: 'renderer_error', message: 'the renderer failed unexpectedly', retryable: true },
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
