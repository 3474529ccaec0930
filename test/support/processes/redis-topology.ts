import { eventually } from '../eventually.ts';
import { onFreePorts } from './free-ports.ts';
import { rendererUser } from './redis-renderer.ts';
import { RedisServer } from './redis.ts';

const PASSWORD = 'password-of-redis';
const SENTINEL_PASSWORD = 'password-of-the-sentinels';
const MASTER_NAME = 'documents';
/** Time without a response after which a server counts as failed. */
const SILENT_MS = 2000;
const DEADLINE = { timeoutMs: 60_000 };

/** Service settings for a Redis. */
interface RedisEnvironment extends Readonly<Record<string, string>> {
  readonly TRIFOLD_REDIS_URL: string;
}

type Servers = readonly RedisServer[];

/** Several Redis servers, one of which takes over when the master fails. They end when this process does. */
export class RedisTopology {
  readonly environment: RedisEnvironment;
  readonly #servers: Servers;
  readonly #sentinels: Servers;
  readonly #failed = new Set<RedisServer>();

  constructor(environment: RedisEnvironment, servers: Servers, sentinels: Servers = []) {
    this.environment = environment;
    this.#servers = servers;
    this.#sentinels = sentinels;
  }

  /**
   * Kills or suspends the server that has the keys with the default prefix, or makes it a replica as an administrator
   * would, and waits for its successor.
   */
  async failOver(how: 'kill' | 'pause' | 'demote'): Promise<void> {
    const master = await eventually(async () => {
      const master = await masterOf(this.#running);
      // Only an up-to-date replica takes over.
      return (await master.command('INFO replication')).includes('state=online') && master;
    }, DEADLINE);
    if (how === 'demote') {
      await eventually(() => this.#promoteAnother(), DEADLINE);
    } else {
      this.#failed.add(master);
      await master[how]();
    }
    await eventually(async () => (await masterOf(this.#running)) !== master, DEADLINE);
  }

  async stop(): Promise<void> {
    for (const server of [...this.#sentinels, ...this.#servers]) await server.stop();
  }

  async #promoteAnother(): Promise<void> {
    const [sentinel] = this.#sentinels;
    if (sentinel) {
      await sentinel.command(`SENTINEL FAILOVER ${MASTER_NAME}`);
      return;
    }
    for (const server of this.#running) {
      if (!(await server.command('INFO replication')).includes('role:slave')) continue;
      await server.command('CLUSTER FAILOVER');
      return;
    }
    throw new Error('there is no replica');
  }

  get #running(): readonly RedisServer[] {
    return this.#servers.filter((server) => !this.#failed.has(server));
  }
}

/** Starts a master with two replicas, and three Sentinels. */
export async function startRedisWithSentinels(): Promise<RedisTopology> {
  const servers = await startServers(3);
  const sentinels: RedisServer[] = [];
  try {
    const [master, ...replicas] = servers as [RedisServer, ...RedisServer[]];
    for (const replica of replicas) await replica.command(`REPLICAOF 127.0.0.1 ${master.port}`);
    for (let count = 0; count < 3; count += 1) {
      sentinels.push(
        await RedisServer.start({
          password: SENTINEL_PASSWORD,
          sentinel: [
            `monitor ${MASTER_NAME} 127.0.0.1 ${master.port} 2`,
            `auth-pass ${MASTER_NAME} ${PASSWORD}`,
            `down-after-milliseconds ${MASTER_NAME} ${SILENT_MS}`,
            `failover-timeout ${MASTER_NAME} 5000`,
          ],
        }),
      );
    }
    for (const sentinel of sentinels) {
      const isComplete = async () =>
        (await sentinel.command('INFO sentinel')).includes('slaves=2,sentinels=3');
      await eventually(isComplete, DEADLINE);
    }
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const environment = {
      TRIFOLD_REDIS_URL: `redis+sentinel://${hosts}/${MASTER_NAME}`,
      TRIFOLD_REDIS_PASSWORD: PASSWORD,
      TRIFOLD_REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    };
    return new RedisTopology(environment, servers, sentinels);
  } catch (error) {
    for (const server of [...sentinels, ...servers]) await server.stop();
    throw error;
  }
}

/** Starts a Redis Cluster of three masters. The one that has the keys with the default prefix has two replicas. */
export async function startRedisCluster(): Promise<RedisTopology> {
  const servers = await startServers(5, true);
  try {
    type R = RedisServer;
    const [first, second, third, ...replicas] = servers as [R, R, R, ...R[]];
    await first.command('CLUSTER ADDSLOTSRANGE 0 5461');
    await second.command('CLUSTER ADDSLOTSRANGE 5462 10922');
    await third.command('CLUSTER ADDSLOTSRANGE 10923 16383');
    for (const server of servers.slice(1)) {
      const [, busPort] = /@(\d+)/.exec(await server.command('CLUSTER NODES')) ?? [];
      await first.command(`CLUSTER MEET 127.0.0.1 ${server.port} ${busPort}`);
    }
    const all = (text: string) =>
      eventually(async () => {
        const infos = await Promise.all(servers.map((server) => server.command('CLUSTER INFO')));
        return infos.every((info) => info.includes(text));
      }, DEADLINE);
    await all(`cluster_known_nodes:${servers.length}`);
    await all('cluster_state:ok');
    const master = await masterOf([first, second, third]);
    const id = await master.command('CLUSTER MYID');
    for (const replica of replicas) await replica.command(`CLUSTER REPLICATE ${id}`);
    const environment = {
      // The other servers are discovered through these, one of which may fail.
      TRIFOLD_REDIS_URL: `redis+cluster://${[master, ...replicas].map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      TRIFOLD_REDIS_PASSWORD: PASSWORD,
    };
    return new RedisTopology(environment, servers);
  } catch (error) {
    for (const server of servers) await server.stop();
    throw error;
  }
}

async function startServers(count: number, cluster = false): Promise<RedisServer[]> {
  const settings = { masterauth: PASSWORD, 'maxmemory-policy': 'noeviction' };
  const start = () =>
    onFreePorts(1, ([busPort]) =>
      RedisServer.start({
        password: PASSWORD,
        user: rendererUser(cluster ? '{trifold}' : 'trifold'),
        settings: {
          ...settings,
          ...(cluster && {
            'cluster-enabled': 'yes',
            'cluster-port': String(busPort),
            'cluster-node-timeout': String(SILENT_MS),
          }),
        },
      }),
    );
  const starts = await Promise.allSettled(Array.from({ length: count }, start));
  const servers = starts.flatMap((started) => (started.status === 'fulfilled' ? [started.value] : []));
  const failed = starts.find((started) => started.status === 'rejected');
  if (!failed) return servers;
  for (const server of servers) await server.stop();
  throw failed.reason;
}

/** Returns the server that accepts writes of keys with the default prefix. Rejects if there is none. */
async function masterOf(servers: readonly RedisServer[]): Promise<RedisServer> {
  for (const server of servers) {
    const info = await server.command('INFO replication');
    if (info.includes('role:master') && (await hasKeys(server))) return server;
  }
  throw new Error('no server is the master');
}

/** Other servers of a cluster return `MOVED`. */
async function hasKeys(server: RedisServer): Promise<boolean> {
  return server.command('EXISTS {trifold}').then(
    () => true,
    () => false,
  );
}
