import type { Redis } from 'ioredis';
import type { Clock } from '../service/clock.ts';
import type { Logger } from '../service/logging.ts';
import { RedisError } from './redis-error.ts';

/** While Redis stays away, it is said again after so long. */
const REPEAT_MS = 60_000;

/**
 * Says when Redis goes away and when it is back: one line each and one a minute between, however many connections
 * fail however often meanwhile.
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

  /** Something failed that is tried again. */
  failed(error: unknown): void {
    const now = this.#clock.now().getTime();
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
