import type { RenderFailure } from '@trifold/platform/render-queue/port.ts';

/** A failure that ends a task. Its code and message reach the caller, so the message must not contain document data. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly failure: RenderFailure;

  constructor(code: string, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = { code, message, retryable: options.retryable ?? false };
  }
}
