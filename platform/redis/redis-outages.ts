import type { Redis } from 'ioredis';
import type { Clock } from '../async/clock.ts';
import type { Logger } from '../process/logging.ts';
import { TrifoldError } from '../errors/trifold-error.ts';

/** Interval of log messages while Redis is unavailable. */
const REPEAT_MS = 60_000;
/**
 * Redis error replies have no code, but begin with an uppercase word. Some quote the command that they received.
 */
const ANSWER = /^([A-Z]{2,})(?: |$)/;
const QUOTING = /^ERR unknown command|with args beginning with/;

/**
 * Logs when Redis becomes unavailable and when it is back, and once a minute in between, however many connections fail
 * and however often.
 */
export class RedisOutages {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #away = false;
  #sayAgainAt = 0;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  observe(client: Redis): void {
    client.on('error', (error: unknown) => this.failed(error));
    client.on('ready', () => this.#ready());
  }

  /** Reports a failure that is retried. */
  failed(error: unknown): void {
    const now = this.#clock.monotonicMs();
    if (this.#away && now < this.#sayAgainAt) return;
    this.#away = true;
    this.#sayAgainAt = now + REPEAT_MS;
    this.#logger.warn({ err: new RedisError(error) }, 'Redis is unavailable, retrying');
  }

  #ready(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#logger.info('Redis is available again');
  }
}

/**
 * The part of a Redis or client error that is safe to log or pass on. The client's errors contain the failed command
 * with its arguments, including passwords and task content, which a logger would write.
 */
export class RedisError extends TrifoldError<string> {
  /** `code` is `ECONNREFUSED`, `NOAUTH`, …, or `unknown`. */
  constructor(error: unknown) {
    super(redisCode(error) ?? 'unknown', messageOf(error), { retryable: true });
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return QUOTING.test(error.message) ? 'ERR Redis does not support a command' : error.message;
}

/** Returns the code of a Redis or client error, if it has one. */
function redisCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return ANSWER.exec(error.message)?.[1];
}
