import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../async/clock.ts';
import { ClusterConnector } from './cluster-connector.ts';
import type { RedisConfig } from './redis-config.ts';
import type { RedisOutages } from './redis-outages.ts';

/** Timeout for one connection attempt. */
const CONNECT_MS = 3000;
/** Default timeout for one command: an available Redis responds within milliseconds. */
const COMMAND_MS = 3000;
/** A connection that is silent for this long while a reply is due counts as dead. */
const SILENCE_MS = 5000;
const SLOWEST_RETRY_MS = 2000;
/** The server no longer has our keys. Scripts in Redis 6.2 quote a command's error. */
const NOT_THE_MASTER = /\b(?:READONLY|UNBLOCKED|MOVED|CLUSTERDOWN)\b/;

/** A type parameter of `Redis` replaces `replyMapping`. */
type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

export interface RedisClientOptions {
  /** Name of the connection in `CLIENT LIST`. */
  readonly name: string;
  /** Maximum time that a command may block in Redis, in milliseconds. @default no command blocks */
  readonly blockingMs?: number;
  /** Timeout for one command, in milliseconds, unless commands block. @default 3000 */
  readonly commandMs?: number;
  readonly outages: RedisOutages;
  readonly clock: Clock;
}

/**
 * A connection that reconnects forever and never makes a caller wait for it: a command fails immediately when there is
 * no connection or it breaks, and after `commandMs` when Redis is silent.
 */
export class RedisClient {
  readonly commands: Redis;
  readonly #clock: Clock;
  #closed = false;
  /** Ends all waits for a connection. */
  #wake = new AbortController();

  constructor(config: RedisConfig, options: RedisClientOptions) {
    this.#clock = options.clock;
    this.commands = new Redis(settings(config, options));
    options.outages.observe(this.commands);
    this.commands.on('ready', () => this.#endWaits());
  }

  /** Whether there is a connection. */
  get ready(): boolean {
    return this.commands.status === 'ready' && !this.#closed;
  }

  /** Resolves to whether there is a connection; waits up to `timeoutMs` for one. */
  async isReady(timeoutMs: number): Promise<boolean> {
    if (this.ready || this.#closed) return this.ready;
    await this.#clock.sleep(timeoutMs, this.#wake.signal);
    return this.ready;
  }

  /** Closes the connection; in-flight commands fail. */
  close(): void {
    this.#closed = true;
    this.commands.disconnect();
    this.#endWaits();
  }

  #endWaits(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }
}

function settings(
  config: RedisConfig,
  { name, blockingMs, commandMs }: RedisClientOptions,
): ConnectionOptions {
  return {
    ...server(config),
    db: config.database,
    ...(config.username === undefined ? {} : { username: config.username }),
    ...(config.password === undefined ? {} : { password: config.password }),
    ...(config.tls ? { tls: {} } : {}),
    connectionName: name,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS + (blockingMs ?? 0),
    ...(blockingMs === undefined ? { commandTimeout: commandMs ?? COMMAND_MS } : {}),
    // No command waits for a connection: neither one issued without a connection nor one in flight when it broke.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt: number) => Math.min(SLOWEST_RETRY_MS, 50 * 2 ** Math.min(attempt, 10)),
    // After a failover the connection may still be to a server that is now a replica.
    reconnectOnError: (error: Error) => NOT_THE_MASTER.test(error.message),
  };
}

/** Returns the options for finding the server. Every connection attempt looks up the server again. */
function server(config: RedisConfig): ConnectionOptions {
  const { kind, nodes, master, tls, sentinelUsername, sentinelPassword, prefix } = config;
  switch (kind) {
    case 'server':
      return { ...nodes[0] };
    case 'sentinel':
      return {
        sentinels: [...nodes],
        name: master,
        ...(sentinelUsername !== undefined && { sentinelUsername }),
        ...(sentinelPassword !== undefined && { sentinelPassword }),
        ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
        sentinelCommandTimeout: CONNECT_MS,
      };
    case 'cluster':
      return {
        Connector: class extends ClusterConnector {
          constructor(options: unknown) {
            // A key that the renderers' user may read, too.
            super(options as RedisOptions, nodes, `${prefix}:interactive:any`);
          }
        },
      };
  }
}
