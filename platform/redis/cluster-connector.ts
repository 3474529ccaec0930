import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { RedisNode } from '../settings/redis-address.ts';

/** Pause before the next server of the cluster is queried, in milliseconds. */
const PAUSE_MS = 200;
/** `MOVED <slot> <host>:<port>`. The host is empty or `?` if it is the responding server's. */
const MOVED = /^MOVED \d+ (.*):(\d+)$/;

type Report = Parameters<AbstractConnector['connect']>[0];
type Stream = Awaited<ReturnType<AbstractConnector['connect']>>;

/**
 * Connects ioredis to the server of a Redis Cluster that has a key. All Trifold keys have the same hash tag, so one
 * connection is enough, and it behaves like one to a single server. When the key moves, reconnect.
 */
export class ClusterConnector extends AbstractConnector {
  readonly #options: RedisOptions;
  readonly #nodes: readonly RedisNode[];
  readonly #key: string;
  #asked = 0;

  /** `nodes`: servers of the cluster, queried in turn for the key's location. */
  constructor(options: RedisOptions, nodes: readonly RedisNode[], key: string) {
    super(options.disconnectTimeout ?? 0);
    this.#options = options;
    this.#nodes = nodes;
    this.#key = key;
  }

  /** Queries servers until one responds. Rejects only after `disconnect`: ioredis would not try again. */
  override async connect(report: Report): Promise<Stream> {
    this.connecting = true;
    while (this.connecting) {
      try {
        const server = await this.#find();
        if (this.connecting) return this.#open(server);
      } catch (error) {
        report('error', error as Error);
        await sleep(PAUSE_MS);
      }
    }
    throw new Error('Connection is closed.');
  }

  #open({ host, port }: RedisNode): Stream {
    const { tls } = this.#options;
    const stream = tls ? connectTls({ ...tls, host, port }) : connectTcp({ host, port });
    stream.once('error', (error) => {
      this.firstError = error;
    });
    this.stream = stream;
    return stream;
  }

  /** Returns the server that has the key, according to the next server of the cluster. */
  async #find(): Promise<RedisNode> {
    const node = this.#nodes[this.#asked++ % this.#nodes.length] as RedisNode;
    const redis = this.#connection(node);
    let failure: Error | undefined;
    redis.on('error', (error) => {
      failure ??= error;
    });
    try {
      await redis.exists(this.#key);
      return node;
    } catch (error) {
      const [, host = '', port] = MOVED.exec((error as Error).message) ?? [];
      if (port === undefined) throw failure ?? error;
      return { host: host.replace(/^\??$/, node.host), port: Number(port) };
    } finally {
      redis.disconnect();
    }
  }

  #connection(node: RedisNode): Redis {
    const { username, password, tls, connectTimeout = 0 } = this.#options;
    return new Redis({
      ...node,
      ...(username && { username }),
      ...(password && { password }),
      ...(tls && { tls }),
      connectTimeout,
      commandTimeout: connectTimeout,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
  }
}
