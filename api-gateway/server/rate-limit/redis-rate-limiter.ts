import { randomUUID } from 'node:crypto';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { RedisClient } from '@trifold/platform/redis/redis-client.ts';
import type { RedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { RedisOutages } from '@trifold/platform/redis/redis-outages.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limit.ts';

export interface RedisRateLimiterOptions {
  readonly redis: RedisConfig;
  readonly limit: RateLimit;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum time that a request waits for Redis. */
const ANSWER_WITHIN_MS = 250;
/** Time for which Redis is not asked after a failure, so that not every request waits. */
const PAUSE_MS = 2_000;
/** Interval at which a gateway reports its presence. */
const PRESENCE_EVERY_MS = 5_000;
/** A gateway that has not reported for this long is not counted. */
const PRESENCE_LASTS_MS = 15_000;

/** Counts one request; the window begins with the first. Returns the count and the remaining time of the window. */
const TAKE = `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

/** Records the presence of a gateway by the clock of Redis, and returns the number of gateways. */
const PRESENCE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`;

/**
 * Counts in Redis, so that the limit holds across all gateways. While Redis is unavailable or silent, each gateway
 * counts for itself and allows its share: the limit divided by the last known number of gateways.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #options: RedisRateLimiterOptions;
  readonly #client: RedisClient;
  readonly #outages: RedisOutages;
  readonly #own: MemoryRateLimiter;
  readonly #identity = randomUUID();
  #gateways = 1;
  #pausedUntil = 0;
  #cancelPresence: (() => void) | undefined;
  #closed = false;

  constructor(options: RedisRateLimiterOptions) {
    const { redis, limit, clock, logger } = options;
    this.#options = options;
    this.#outages = new RedisOutages(clock, logger);
    this.#client = new RedisClient(redis, { name: 'trifold-rate-limit', outages: this.#outages, clock });
    this.#own = new MemoryRateLimiter(limit, clock);
    this.#client.commands.on('ready', () => this.#beThere());
  }

  /** Number of gateways when Redis was last asked. */
  get gateways(): number {
    return this.#gateways;
  }

  async take(key: string): Promise<RateVerdict> {
    return (await this.#takeShared(key)) ?? this.#own.count(key, this.#share);
  }

  close(): void {
    this.#closed = true;
    this.#cancelPresence?.();
    this.#client.close();
  }

  get #share(): number {
    return Math.ceil(this.#options.limit.requests / this.#gateways);
  }

  async #takeShared(key: string): Promise<RateVerdict | undefined> {
    const { redis, limit } = this.#options;
    const answer = await this.#ask(TAKE, `${redis.prefix}:rate:${key}`, limit.windowMs);
    if (!Array.isArray(answer)) return undefined;
    const [used, leftMs] = answer.map(Number) as [number, number];
    return {
      allowed: used <= limit.requests,
      remaining: Math.max(0, limit.requests - used),
      // Redis returns -1 or -2 for a window that ends at this moment.
      resetMs: Math.max(0, leftMs),
    };
  }

  #beThere(): void {
    this.#cancelPresence?.();
    if (this.#closed) return;
    this.#cancelPresence = this.#options.clock.schedule(PRESENCE_EVERY_MS, () => this.#beThere());
    const set = `${this.#options.redis.prefix}:gateways`;
    void this.#ask(PRESENCE, set, this.#identity, PRESENCE_LASTS_MS).then((count) => {
      if (typeof count === 'number' && count > 0) this.#gateways = count;
    });
  }

  /** Returns the result of a script; undefined if Redis is unavailable, silent, or was silent a moment ago. */
  async #ask(script: string, key: string, ...values: (string | number)[]): Promise<unknown> {
    const { clock } = this.#options;
    if (!this.#client.ready || clock.monotonicMs() < this.#pausedUntil) return undefined;
    const late = Promise.withResolvers<undefined>();
    let waits = true;
    const giveUp = () => {
      if (!waits) return;
      this.#pause(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
      late.resolve(undefined);
    };
    // After a blocked event loop timers run first: the answer may have arrived and not be read yet.
    const cancel = clock.schedule(ANSWER_WITHIN_MS, () => setImmediate(giveUp));
    const answer = this.#client.commands.eval(script, 1, key, ...values);
    try {
      return await Promise.race([answer, late.promise]);
    } catch (error) {
      this.#pause(error);
      return undefined;
    } finally {
      waits = false;
      cancel();
      // The answer may still fail after the timeout.
      answer.catch(() => undefined);
    }
  }

  #pause(error: unknown): void {
    if (this.#closed) return;
    this.#pausedUntil = this.#options.clock.monotonicMs() + PAUSE_MS;
    this.#outages.failed(error);
  }
}
