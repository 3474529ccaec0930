import { ConfigError } from '@trifold/platform/service/config.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { BrowserNotFoundError } from '@trifold/renderer/browser/process/browser-not-found-error.ts';
import { BrowserLaunchError } from '@trifold/renderer/browser/process/browser-process.ts';
import { ControlPlaneFileError } from '@trifold/embedded-apiserver/control-plane-file-error.ts';
import { CredentialsError } from '@trifold/embedded-apiserver/tls/credentials.ts';
import { DataDirectoryError } from './data-directory.ts';
import { ListenError } from './listen-error.ts';

/** Errors whose message already states the problem and the fix. */
const TELLING = [
  ConfigError,
  DataDirectoryError,
  ListenError,
  ControlPlaneFileError,
  CredentialsError,
  BrowserNotFoundError,
];

/** Maximum length of the browser's output in the message, in characters. */
const LONGEST_OUTPUT = 400;

/**
 * Returns the message for the person who started the service: the problem and its fix. Only a bug of the program shows
 * a stack.
 */
export function startFailure(error: unknown): string {
  if (TELLING.some((type) => error instanceof type)) return (error as Error).message;
  if (error instanceof BrowserLaunchError) return browserFailure(error);
  if (error instanceof ObjectStoreError || isSystemError(error)) {
    return `${error.message}: let this user write there, or choose another place with TRIFOLD_DATA or TMPDIR`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function browserFailure({ message, cause }: BrowserLaunchError): string {
  const said = message.replaceAll(/\s+/g, ' ');
  const short = said.length <= LONGEST_OUTPUT ? said : `${said.slice(0, LONGEST_OUTPUT)}…`;
  // A closed connection adds nothing to the fact that the browser did not start.
  const reason = cause instanceof Error && !/closed|ended/.test(cause.message) ? ` (${cause.message})` : '';
  return `the browser ${short}${reason}: set TRIFOLD_BROWSER to a Chromium that starts on this machine, or to bundled`;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
