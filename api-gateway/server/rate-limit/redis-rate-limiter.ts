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

/** A request is not kept waiting for longer by a Redis that does not answer. */
const ANSWER_WITHIN_MS = 250;
/** After that Redis is left alone for so long, so that not every request waits. */
const PAUSE_MS = 2_000;
/** How often a gateway says that it is there. */
const PRESENCE_EVERY_MS = 5_000;
/** One that has not said so for this long is not counted. */
const PRESENCE_LASTS_MS = 15_000;

/** Counts one request; the window begins with the first. Answers the count and how long the window still lasts. */
const TAKE = `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

/** Says that a gateway is there, by Redis' clock, and answers how many are. */
const PRESENCE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`;

/**
 * Counts in Redis, so that the limit holds over all gateways. While Redis is away or silent each gateway allows its
 * share: the limit divided by the number of gateways there were, counted by itself.
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

  /** How many gateways were there when Redis was last asked. */
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
      // A window that ends in this very moment has no time left: Redis says -1 or -2.
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

  /** What a script answers; undefined when Redis is away, silent, or was silent just now. */
  async #ask(script: string, key: string, ...values: (string | number)[]): Promise<unknown> {
    const { clock } = this.#options;
    if (!this.#client.ready || clock.now().getTime() < this.#pausedUntil) return undefined;
    const late = Promise.withResolvers<undefined>();
    let waits = true;
    const giveUp = () => {
      if (!waits) return;
      this.#pause(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
      late.resolve(undefined);
    };
    // Of a gateway that was busy all the while, timers come first: the answer may be there, and not read yet.
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
      // It may still fail after nobody waits for it.
      answer.catch(() => undefined);
    }
  }

  #pause(error: unknown): void {
    if (this.#closed) return;
    this.#pausedUntil = this.#options.clock.now().getTime() + PAUSE_MS;
    this.#outages.failed(error);
  }
}
