import { TrifoldError } from '@trifold/platform/service/trifold-error.ts';
import type { RenderFailure } from '@trifold/platform/render-queue/port.ts';

/** A failure that ends a task. Its code and message reach the caller, so the message must not contain document data. */
export class TaskError extends TrifoldError<string> {}

/** Returns the part of an error that crosses the queue, as JSON. */
export function renderFailure({ code, message, retryable }: TrifoldError<string>): RenderFailure {
  return { code, message, retryable };
}
