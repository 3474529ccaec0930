import { TrifoldError } from '../service/trifold-error.ts';

/**
 * The part of an error of Redis or its client that is safe to log or pass on. The client's own errors contain the
 * failed command with its arguments, including passwords and task content, which a logger would write.
 */
export class RedisError extends TrifoldError<string> {
  /** `code` is `ECONNREFUSED`, `NOAUTH`, …, or `unknown`. */
  constructor(error: unknown) {
    super(redisCode(error) ?? 'unknown', messageOf(error), { retryable: true });
  }
}

/**
 * Redis error replies have no code, but begin with a word in capitals. Some quote the command that they received.
 */
const ANSWER = /^([A-Z]{2,})(?: |$)/;
const QUOTING = /^ERR unknown command|with args beginning with/;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return QUOTING.test(error.message) ? 'ERR Redis does not know a command' : error.message;
}

/** Returns the code of an error of Redis or its client, if it has one. */
export function redisCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return ANSWER.exec(error.message)?.[1];
}
