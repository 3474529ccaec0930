import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/service/error-codes.ts';
import { doesNotCompile } from '../templates/template-checks.ts';
import { tooLarge, type CompileFailure } from './compile-messages.ts';

const CODES = {
  data_invalid: 'data_invalid',
  merge_failed: 'merge_failed',
  merge_too_large: 'merge_too_large',
} as const satisfies Record<string, RequestErrorCode>;

/** 422: a part of the email template below `pointer` does not compile, or fails with this data. */
export function partFailed({ code, message, part, problem }: CompileFailure, pointer: string): ApiError {
  const path = `${pointer}/${part}`;
  if (code === 'template_invalid') return doesNotCompile(problem ?? { line: 1, column: 1, message }, path);
  return new ApiError(CODES[code], `The email's ${part} cannot be made: ${message}.`, {
    details: [{ path, message }],
  });
}

/** Returns the error for the caller when a limit was reached; undefined for any other error. */
export function boundReached(error: unknown, maxBytes: number): ApiError | undefined {
  if (!(error instanceof ChildProcessError)) return undefined;
  switch (error.code) {
    case 'time_limit': {
      const hint = 'Loops inside loops take long, and so does much css for many elements.';
      return new ApiError('merge_timeout', `The email cannot be compiled: ${error.message}. ${hint}`);
    }
    case 'out_of_memory':
      return new ApiError('merge_too_large', `The email cannot be compiled: ${tooLarge(maxBytes)}.`, {
        cause: error,
      });
    case 'pool_full':
      return unavailable('Too many emails wait to be compiled. Try again in a moment.', undefined, error);
    case 'ended':
      return unavailable('What compiled the email came to an end. Try again.', undefined, error);
  }
}
