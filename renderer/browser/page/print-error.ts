import { DocumentError } from '@trifold/platform/errors/document-error.ts';
import { ConnectionClosedError, ProtocolError } from 'puppeteer-core/internal/common/Errors.js';

/**
 * The browser's error messages for a command in a page that navigates or whose process dies. They may arrive before the
 * corresponding event. The protocol has no code for them.
 */
const HAS_LEFT = 'Inspected target navigated or closed';
const HAS_CRASHED = 'Target crashed';

/** Reason that a page produced no document. */
export class PrintError extends DocumentError {
  static crashed(cause?: unknown): PrintError {
    return new PrintError('browser_crashed', 'the browser crashed while it printed the document', { cause });
  }

  static navigated(): PrintError {
    const message =
      'the document navigated to another page: remove the meta refresh or the script that navigates';
    return new PrintError('document_navigates', message);
  }

  static tooLarge(maxBytes: number): PrintError {
    const message = `the document is larger than the limit of ${maxBytes} bytes`;
    return new PrintError('output_too_large', message);
  }

  static aborted(): PrintError {
    return new PrintError('aborted', 'printing was stopped');
  }

  static of(error: unknown): PrintError {
    if (error instanceof PrintError) return error;
    if (isGone(error)) return PrintError.crashed(error);
    if (says(error, HAS_LEFT)) return PrintError.navigated();
    const reason = error instanceof ProtocolError ? error.originalMessage || error.message : String(error);
    return new PrintError('print_failed', `the browser could not print the document: ${reason}`, {
      cause: error,
    });
  }
}

/** Whether a command failed because its page or the browser is gone. Puppeteer does not export TargetCloseError. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof ConnectionClosedError ||
    (error instanceof Error && error.name === 'TargetCloseError') ||
    says(error, HAS_CRASHED)
  );
}

function says(error: unknown, message: string): boolean {
  return error instanceof ProtocolError && error.originalMessage === message;
}
