import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { LEASE, type Lease } from '@trifold/platform/kubernetes/election/leader-lease.ts';
import { findPublishedKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { loadWebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import { Api } from '../api.ts';
import { eventually } from '../eventually.ts';
import { clientWithNewKey } from '../keys-command.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../kubernetes/kube-apiserver.ts';
import { minioProgram, startMinio } from './minio.ts';
import type { S3Server } from './s3-server.ts';
import { NodeProcess } from './node-process.ts';
import { RENDERER_USER, rendererUser } from './redis-renderer.ts';
import { RedisServer, whyNoRedis } from './redis.ts';
import type { Constants } from './with-constants.ts';
import { TcpProxy } from '../faults/tcp-proxy.ts';

const LEASE_NAMESPACE = 'default';
const LEASE_NAME = 'trifold-controller';
/** Secret of the key with which controllers open webhook secrets. */
const WEBHOOK_KEY = 'key-of-the-controllers-of-the-tests';
/**
 * Returns the reason that a cluster of processes cannot run here; undefined if it can. Always undefined in CI, where a
 * missing program is a failure.
 */
export function whyNoClusterProcesses(env = process.env): string | undefined {
  if (env['CI']) return undefined;
  if (!kubeApiServerPrograms(env)) {
    return 'TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server';
  }
  if (!minioProgram(env)) return 'there is no minio on PATH and TRIFOLD_TEST_MINIO names none';
  return whyNoRedis(env);
}

export interface ClusterProcessesOptions {
  /** @default 2 */
  readonly controllers?: number;
  /** @default 1 */
  readonly renderers?: number;
  /** Whether the services reach the API server and object store through proxies that can be cut. @default false */
  readonly cuttable?: boolean;
  /** Directory for the object store's data, which must exist. @default a temporary one */
  readonly objectStoreDirectory?: string;
  /** Constants to replace in every process. */
  readonly constants?: Constants;
  /** Environment variables for every process, in addition to the defaults. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Environment variables for the gateways and controllers, in addition to their defaults. */
  readonly withoutBrowsers?: Readonly<Record<string, string>>;
}

/** Dependencies: a real API server with the CRDs, a real Redis and a real object store. */
interface Ground {
  readonly apiServer: KubeApiServer;
  readonly redis: RedisServer;
  readonly minio: S3Server;
}

/** Proxies between the services and their dependencies, so that tests can cut connections. */
interface Ways {
  readonly apiServer: TcpProxy;
  readonly objectStore: TcpProxy;
  /** Path of a kubeconfig that goes through the proxy. */
  readonly kubeconfig: string;
}

/**
 * Trifold as in a cluster, but without pods: each service is a process, with a real kube-apiserver, Redis and MinIO.
 * Processes can be added, killed and paused; all of them end on `stop` or with this process.
 */
export class ClusterProcesses {
  readonly kubernetes: KubernetesClient;
  readonly redis: RedisServer;
  readonly kubeconfig: string;
  readonly gateways: NodeProcess[] = [];
  readonly controllers: NodeProcess[] = [];
  readonly renderers: NodeProcess[] = [];
  /** Launchers start the browsers for all renderers; only the last launcher listens. */
  readonly launchers: NodeProcess[] = [];
  /** Address of the first gateway. */
  url = '';
  /** Client with a live key for the account `default`. */
  live = new Api('');
  readonly #ground: Ground;
  readonly #ways: Ways | undefined;
  readonly #transport: HttpTransport;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #withoutBrowsers: Readonly<Record<string, string>>;
  readonly #constants: Constants | undefined;
  /** Directory of the launcher's socket. */
  readonly #run = mkdtempSync(join(tmpdir(), 'trifold-run-'));

  private constructor(ground: Ground, ways: Ways | undefined, options: ClusterProcessesOptions) {
    const { environment = {}, withoutBrowsers = {} } = options;
    const { apiServer, redis, minio } = ground;
    this.#ground = ground;
    this.#ways = ways;
    this.#constants = options.constants;
    this.redis = redis;
    this.kubeconfig = apiServer.kubeconfig;
    this.#transport = new HttpTransport(loadKubeConfig({ kubeconfig: apiServer.kubeconfig }));
    this.kubernetes = new KubernetesClient(this.#transport);
    this.#environment = {
      KUBECONFIG: ways?.kubeconfig ?? apiServer.kubeconfig,
      TRIFOLD_REDIS_URL: redis.url,
      TRIFOLD_TASK_KEYS: randomUUID(),
      TRIFOLD_HOST: '127.0.0.1',
      TRIFOLD_PORT: '0',
      TRIFOLD_OPERATIONS_PORT: '0',
      TRIFOLD_LEASE_NAMESPACE: LEASE_NAMESPACE,
      TRIFOLD_LEASE_NAME: LEASE_NAME,
      TRIFOLD_WEBHOOK_KEY: WEBHOOK_KEY,
      TRIFOLD_CLOSE_DELAY: '0s',
      TRIFOLD_BROWSERS: '1',
      ...environment,
    };
    this.#withoutBrowsers = {
      ...minio.environment,
      ...(ways && { TRIFOLD_S3_ENDPOINT: ways.objectStore.via(minio.environment.TRIFOLD_S3_ENDPOINT) }),
      ...withoutBrowsers,
    };
  }

  /** Resolves when documents can be generated. If it rejects, nothing keeps running. */
  static async start(options: ClusterProcessesOptions = {}): Promise<ClusterProcesses> {
    const { controllers = 2, renderers = 1, cuttable = false } = options;
    const ground = await startGround(options);
    const ways = cuttable ? await openWays(ground) : undefined;
    const cluster = new ClusterProcesses(ground, ways, options);
    try {
      await cluster.addLauncher();
      await Promise.all([
        ...Array.from({ length: controllers }, () => cluster.addController()),
        ...Array.from({ length: renderers }, () => cluster.addRenderer()),
        cluster.addGateway(),
      ]);
      cluster.live = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account: 'default' });
      await cluster.leader();
      const { publishedKey } = loadWebhooksConfig({});
      await eventually(async () => (await findPublishedKey(cluster.kubernetes, publishedKey)) ?? false);
      return cluster;
    } catch (error) {
      const outputs = cluster.processes.map(({ output }) => output).join('\n');
      await cluster.stop();
      throw new Error(`the cluster did not start: ${(error as Error).message}\n${outputs}`, { cause: error });
    }
  }

  /** Proxy between the services and the API server; tests connect directly. Throws unless `cuttable`. */
  get apiServer(): TcpProxy {
    return this.#cuttable.apiServer;
  }

  /** Proxy between the services and the object store. Throws unless `cuttable`. */
  get objectStore(): TcpProxy {
    return this.#cuttable.objectStore;
  }

  /** Compacts etcd, so that older object versions are no longer available. */
  async compactEtcd(): Promise<void> {
    await this.#ground.apiServer.compact();
  }

  /** Kills the API server and starts it again. */
  async restartApiServer(): Promise<void> {
    await this.#ground.apiServer.restart();
  }

  get processes(): NodeProcess[] {
    return [...this.gateways, ...this.controllers, ...this.renderers, ...this.launchers];
  }

  /** Resolves when the process is ready. */
  async addController(environment: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    const started = this.spawn('controller', environment);
    this.controllers.push(started);
    await started.says('trying to acquire the lease');
    return started;
  }

  /** Starts the browser launcher, like the renderers' sidecar. Resolves when it is listening. */
  async addLauncher(): Promise<NodeProcess> {
    const name = `launcher-${this.launchers.length + 1}`;
    const started = new NodeProcess(name, 'renderer/browser/launcher/main.ts', this.#browserSocket);
    this.launchers.push(started);
    await started.says('browser launcher ready');
    return started;
  }

  /** Resolves when its browsers are warm. */
  async addRenderer(environment: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    const started = this.spawn('renderer', environment);
    this.renderers.push(started);
    await started.says('renderer ready');
    return started;
  }

  /** Resolves when the gateway is serving; `url` is the first gateway's. */
  async addGateway(environment: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    const started = this.spawn('api-gateway', environment);
    this.gateways.push(started);
    await started.says('serving');
    if (this.url === '') this.url = await gatewayUrl(started);
    return started;
  }

  /** The Lease that the controllers compete for. */
  lease(): Promise<Lease> {
    return this.kubernetes.builtin<Lease>(LEASE).get(LEASE_NAMESPACE, LEASE_NAME);
  }

  /** Waits until one of the running controllers holds the lease and returns it. */
  async leader(timeoutMs?: number): Promise<NodeProcess> {
    const find = async () => {
      const holder = (await this.lease()).spec?.holderIdentity;
      const held = this.controllers.find(
        (controller) => controller.said('started leading')?.['identity'] === holder,
      );
      return held?.running === true && held;
    };
    return eventually(find, timeoutMs === undefined ? {} : { timeoutMs });
  }

  /**
   * Counts the writes to Trifold objects that the API server has responded to, including rejected ones, by operation,
   * for example `PUT generationjobs/status`.
   */
  async writes(): Promise<ReadonlyMap<string, number>> {
    const { body } = await this.#transport.send({ method: 'GET', path: '/metrics' });
    const counts = new Map<string, number>();
    for (const [, labels = '', value] of (await text(body)).matchAll(
      /^apiserver_request_total\{(.*)\} (\S+)$/gm,
    )) {
      const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
      if (label('group') !== 'trifold.dev' && label('resource') !== 'events') continue;
      if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(label('verb'))) continue;
      const object = [label('resource'), label('subresource')].filter(Boolean).join('/');
      const what = `${label('verb')} ${object}`;
      counts.set(what, (counts.get(what) ?? 0) + Number(value));
    }
    return counts;
  }

  /** Ends every process and removes all data. */
  async stop(): Promise<void> {
    const stopAll = (all: readonly NodeProcess[]) => Promise.all(all.map((running) => running.stop(15_000)));
    await stopAll([...this.gateways, ...this.controllers, ...this.renderers]);
    await stopAll(this.launchers);
    await rm(this.#run, { recursive: true });
    this.#transport.close();
    await Promise.all([this.#ways?.apiServer.close(), this.#ways?.objectStore.close()]);
    await stopGround(this.#ground);
  }

  get #cuttable(): Ways {
    if (!this.#ways) throw new Error('this cluster was not started as cuttable');
    return this.#ways;
  }

  /** Starts `<service>/main.ts` with the common environment. The caller must end it. */
  spawn(service: string, environment: Readonly<Record<string, string>>): NodeProcess {
    const name = `${service}-${this.processes.length + 1}`;
    const own = service === 'renderer' ? { ...RENDERER_USER, ...this.#browserSocket } : this.#withoutBrowsers;
    const all = { ...this.#environment, ...own, ...environment };
    return new NodeProcess(name, `${service}/main.ts`, all, this.#constants);
  }

  get #browserSocket(): Readonly<Record<string, string>> {
    return { TRIFOLD_BROWSER_SOCKET: join(this.#run, 'browser.sock') };
  }
}

async function gatewayUrl(gateway: NodeProcess): Promise<string> {
  return String((await gateway.says('listening'))['address']);
}

async function openWays({ apiServer, minio }: Ground): Promise<Ways> {
  const ways = {
    apiServer: await TcpProxy.to(apiServer.url),
    objectStore: await TcpProxy.to(minio.environment.TRIFOLD_S3_ENDPOINT),
    kubeconfig: `${apiServer.kubeconfig}-by-proxy`,
  };
  const direct = await readFile(apiServer.kubeconfig, 'utf8');
  const changed = direct.replaceAll(apiServer.url, ways.apiServer.via(apiServer.url));
  await writeFile(ways.kubeconfig, changed, { mode: 0o600 });
  return ways;
}

async function startGround({ objectStoreDirectory }: ClusterProcessesOptions): Promise<Ground> {
  const [apiServer, redis, minio] = await Promise.allSettled([
    startKubeApiServer(),
    RedisServer.start({ user: rendererUser('trifold'), settings: { 'maxmemory-policy': 'noeviction' } }),
    startMinio(objectStoreDirectory === undefined ? {} : { directory: objectStoreDirectory }),
  ]);
  if (apiServer.status === 'fulfilled' && redis.status === 'fulfilled' && minio.status === 'fulfilled') {
    return { apiServer: apiServer.value, redis: redis.value, minio: minio.value };
  }
  const all = [apiServer, redis, minio];
  for (const one of all) if (one.status === 'fulfilled') await one.value.stop();
  throw all.find((one) => one.status === 'rejected')?.reason;
}

async function stopGround({ apiServer, redis, minio }: Ground): Promise<void> {
  await Promise.all([apiServer.stop(), redis.stop(), minio.stop()]);
}
