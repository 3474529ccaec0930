import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../service/clock.ts';
import type { RedisConfig } from './redis-config.ts';
import type { RedisOutages } from './redis-outages.ts';

/** How long one connection may take to be made. */
const CONNECT_MS = 3000;
/** How long one command may take: a Redis that is there answers within milliseconds. */
const COMMAND_MS = 3000;
/** A connection that says nothing for so long while an answer is due is dead. */
const SILENCE_MS = 5000;
const SLOWEST_RETRY_MS = 2000;

export interface RedisClientOptions {
  /** For `CLIENT LIST`. */
  readonly name: string;
  /** Milliseconds that one of its commands may block in Redis. @default none does */
  readonly blockingMs?: number;
  readonly outages: RedisOutages;
  readonly clock: Clock;
}

/**
 * A connection that is made again for ever and never keeps a caller waiting for that: a command fails at once when
 * there is no connection and when it breaks, and after three seconds when Redis is silent.
 */
export class RedisClient {
  readonly commands: Redis;
  readonly #clock: Clock;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  constructor(config: RedisConfig, options: RedisClientOptions) {
    this.#clock = options.clock;
    this.commands = new Redis(settings(config, options));
    options.outages.observe(this.commands);
    this.commands.on('ready', () => this.#wake());
  }

  /** Whether there is a connection. */
  get ready(): boolean {
    return this.commands.status === 'ready' && !this.#closed;
  }

  /** Whether there is a connection, now or within the time. */
  async isReady(milliseconds: number): Promise<boolean> {
    if (this.ready || this.#closed) return this.ready;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.schedule(milliseconds, resolve);
    this.#waiting.add(resolve);
    await promise;
    this.#waiting.delete(resolve);
    cancel();
    return this.ready;
  }

  /** Whatever is under way fails. */
  close(): void {
    this.#closed = true;
    this.commands.disconnect();
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }
}

function settings(config: RedisConfig, { name, blockingMs }: RedisClientOptions) {
  return {
    host: config.host,
    port: config.port,
    db: config.database,
    ...(config.username === undefined ? {} : { username: config.username }),
    ...(config.password === undefined ? {} : { password: config.password }),
    ...(config.tls ? { tls: {} } : {}),
    connectionName: name,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS + (blockingMs ?? 0),
    ...(blockingMs === undefined ? { commandTimeout: COMMAND_MS } : {}),
    // Nothing waits for a connection: neither what comes while there is none nor what was under way as it broke.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt: number) => Math.min(SLOWEST_RETRY_MS, 50 * 2 ** Math.min(attempt, 10)),
    // After a failover the address may still lead to what is a replica now.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
}
