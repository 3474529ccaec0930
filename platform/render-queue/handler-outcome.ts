import type { RenderOutcome, RenderTask, TaskHandler } from './port.ts';

/** The handler broke its promise not to reject, or was aborted. */
const HANDLER_REJECTED: RenderOutcome = {
  status: 'failed',
  failure: { code: 'renderer_error', message: 'the renderer failed unexpectedly', retryable: true },
};

/** What a handler says of a task. */
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

/** False of what is true for good: a stored document, or a failure that no other attempt would change. */
export function mayRunAgain(outcome: RenderOutcome): boolean {
  return outcome.status === 'failed' && outcome.failure.retryable;
}
