import { TrifoldError } from '../errors/trifold-error.ts';

const MESSAGES = {
  time_limit: 'the request took too long',
  out_of_memory: 'a child process ran out of memory',
  ended: 'a child process ended',
  pool_full: 'too many requests from the account are waiting for a process',
} as const;

/**
 * A request to a child process that got no reply. `time_limit` and `out_of_memory`: the input exceeded a limit of the
 * process. `ended` and `pool_full`: the same request may succeed later.
 */
export class ChildProcessError extends TrifoldError<keyof typeof MESSAGES> {
  constructor(code: keyof typeof MESSAGES, message: string = MESSAGES[code]) {
    super(code, message, { retryable: code === 'ended' || code === 'pool_full' });
  }
}
