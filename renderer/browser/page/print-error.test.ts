import { ProtocolError } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { isGone, PrintError } from './print-error.ts';

/** An error as Puppeteer creates it from the browser's response. */
function answer(message: string): ProtocolError {
  const error = new ProtocolError(`Protocol error (Page.printToPDF): ${message}`);
  error.originalMessage = message;
  return error;
}

// The crash event arrives before a command's response, but this order is not guaranteed.
it('PrintError reports a command that fails with a crash as browser_crashed, even without the event', () => {
  expect(isGone(answer('Target crashed'))).toBe(true);
  expect(PrintError.of(answer('Target crashed'))).toMatchObject({ code: 'browser_crashed', retryable: true });
});

it('PrintError reports a navigated target as document_navigates', () => {
  const error = answer('Inspected target navigated or closed');
  expect(isGone(error)).toBe(false);
  expect(PrintError.of(error)).toMatchObject({ code: 'document_navigates', retryable: false });
});

it('PrintError reports any other failure with its message as retryable', () => {
  const error = answer('Printing failed');
  expect(isGone(error)).toBe(false);
  expect(PrintError.of(error)).toMatchObject({ code: 'print_failed', retryable: true, cause: error });
  expect(PrintError.of(error).message).toBe('the browser could not print the document: Printing failed');
});
