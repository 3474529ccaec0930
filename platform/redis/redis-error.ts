/**
 * What may be logged or handed on of an error of Redis or its client. The client's own errors carry the command that
 * failed with its arguments, among them passwords and content of tasks, which a logger would write out.
 */
export class RedisError extends Error {
  override readonly name = 'RedisError';
  /** `ECONNREFUSED`, `NOAUTH`, …; undefined when there is none. */
  readonly code: string | undefined;

  constructor(error: unknown) {
    super(messageOf(error));
    this.code = codeOf(error);
  }
}

/** Redis' answers begin with a word in capitals. Some quote what they were sent. */
const ANSWER = /^([A-Z]{2,})(?: |$)/;
const QUOTING = /^ERR unknown command|with args beginning with/;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return QUOTING.test(error.message) ? 'ERR Redis does not know a command' : error.message;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return ANSWER.exec(error.message)?.[1];
}
