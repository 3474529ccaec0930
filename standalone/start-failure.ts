import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { SetupError, TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { BrowserLaunchError } from '@trifold/renderer/browser/process/browser-process.ts';

/** Maximum length of the browser's output in the message, in characters. */
const MAX_OUTPUT_LENGTH = 400;

/**
 * Returns the message for the user who started the service: the problem and its fix. Only a bug in the program shows a
 * stack trace.
 */
export function startFailure(error: unknown): string {
  if (error instanceof SetupError) return error.message;
  if (error instanceof BrowserLaunchError) return browserFailure(error);
  if (error instanceof ObjectStoreError || isSystemError(error)) {
    return `${error.message}: let this user write there, or set TRIFOLD_DATA or TMPDIR to another directory`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function browserFailure({ message, cause }: BrowserLaunchError): string {
  const said = message.replaceAll(/\s+/g, ' ');
  const short = said.length <= MAX_OUTPUT_LENGTH ? said : `${said.slice(0, MAX_OUTPUT_LENGTH)}…`;
  // Our errors, such as a timeout. A closed connection says only that the browser did not start.
  const reason = cause instanceof TrifoldError ? ` (${cause.message})` : '';
  return `the browser ${short}${reason}: set TRIFOLD_BROWSER to a Chromium that starts on this machine, or to bundled`;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
