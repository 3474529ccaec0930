import type { Redis } from 'ioredis';
import type { Clock } from '../service/clock.ts';
import type { Logger } from '../service/logging.ts';
import { RedisError } from './redis-error.ts';

/** Interval of log messages while Redis is unavailable. */
const REPEAT_MS = 60_000;

/**
 * Logs when Redis becomes unavailable and when it is back, and once a minute in between, regardless of how many
 * connections fail how often.
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
    this.#logger.warn({ err: new RedisError(error) }, 'Redis cannot be used; trying again');
  }

  #ready(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#logger.info('Redis is back');
  }
}
