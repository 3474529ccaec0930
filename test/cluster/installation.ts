import { afterAll, inject } from 'vitest';
import type { ChartValues } from '../chart/helm.ts';
import { Api } from '../support/api.ts';
import { connectCluster, type Cluster } from '../support/kubernetes/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { trifold } from '../support/keys-command.ts';
import type { Kubectl } from '../support/kubernetes/kubectl.ts';
import { ACCOUNT, NAMESPACE, RELEASE, Release } from './release.ts';

export type Component = 'gateway' | 'controller' | 'renderer' | 'redis' | 'minio';

export interface Pod {
  readonly name: string;
  /** Creation time, in seconds since 1970. */
  readonly created: number;
}

/** The suite's installation, for the tests in one file. */
export class Installation {
  readonly cluster: Cluster;
  /** Client for the account that the chart's bootstrap created, with the key it created. */
  readonly live: Api;
  readonly #release: Release;

  private constructor(cluster: Cluster, release: Release, live: Api) {
    this.cluster = cluster;
    this.#release = release;
    this.live = live;
  }

  /** Installs the release if it is not installed. The connection is closed after the tests in the file. */
  static async connect(): Promise<Installation> {
    const address = inject('cluster');
    const cluster = await connectCluster(address);
    const release = await Release.find(cluster.kubeconfig);
    await describing(cluster, async () => {
      if (!(await release.isInstalled())) await release.install();
    });
    const live = new Api(address.nodePortUrl, await bootstrapKey(cluster.kubectl));
    const installation = new Installation(cluster, release, live);
    afterAll(() => installation.close());
    return installation;
  }

  get kubectl(): Kubectl {
    return this.cluster.kubectl;
  }

  /** Runs kubectl in the release namespace. */
  ours(...args: string[]): Promise<string> {
    return this.kubectl.ok(['--namespace', NAMESPACE, ...args]);
  }

  /** Runs kubectl in the account namespace. */
  accounts(...args: string[]): Promise<string> {
    return this.kubectl.ok(['--namespace', ACCOUNT, ...args]);
  }

  /** Creates a key as an operator would. */
  async newKey(type: 'live' | 'test'): Promise<string> {
    const { kubeconfig } = this.cluster;
    const args = ['keys', 'create', '--kubeconfig', kubeconfig, '--account', ACCOUNT, '--type', type];
    const { code, stdout, stderr } = await trifold(args);
    if (code !== 0) throw new Error(`keys create failed (${code}): ${stderr}`);
    return stdout.trim();
  }

  /** Changes release values. Resolves when every new pod is ready; old pods may still be terminating. */
  upgrade(change: ChartValues): Promise<void> {
    return describing(this.cluster, () => this.#release.upgrade(change));
  }

  install(): Promise<void> {
    return this.#release.install();
  }

  uninstall(): Promise<void> {
    return this.#release.uninstall();
  }

  /** Returns a component's pods that are not terminating. */
  async pods(component: Component): Promise<Pod[]> {
    const text = await this.ours('get', 'pods', '--selector', selectorOf(component), '--output=json');
    const { items } = JSON.parse(text) as {
      items: { metadata: { name: string; creationTimestamp: string; deletionTimestamp?: string } }[];
    };
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => ({
        name: metadata.name,
        created: Date.parse(metadata.creationTimestamp) / 1000,
      }));
  }

  /** Waits until the component has `count` pods, all ready. */
  async readyPods(component: Component, count: number, timeoutMs = 180_000): Promise<Pod[]> {
    const format =
      '{range .items[*]}{.metadata.deletionTimestamp}/{.status.conditions[?(@.type=="Ready")].status} {end}';
    const look = async () => {
      const args = ['get', 'pods', '--selector', selectorOf(component), `--output=jsonpath=${format}`];
      const states = (await this.ours(...args)).trim().split(' ').filter(Boolean);
      const staying = states.filter((state) => state.startsWith('/'));
      return staying.length === count && staying.every((state) => state === '/True');
    };
    await eventually(look, { timeoutMs, intervalMs: 500 });
    return this.pods(component);
  }

  /** Waits until all these pods are gone. */
  async gone(pods: readonly Pod[], timeoutMs = 180_000): Promise<void> {
    const left = async () => {
      const names = (await this.ours('get', 'pods', '--output=name')).split('\n');
      return pods.filter(({ name }) => names.includes(`pod/${name}`));
    };
    await eventually(async () => (await left()).length === 0, { timeoutMs, intervalMs: 500 });
  }

  /** Returns the pod that holds the controllers' lease. */
  async leader(): Promise<Pod> {
    return eventually(async () => {
      const output = '--output=jsonpath={.spec.holderIdentity}';
      const holder = await this.ours('get', 'lease', `${RELEASE}-controller`, output);
      return (await this.pods('controller')).find(({ name }) => holder.startsWith(name)) ?? false;
    });
  }

  /** Returns the value of a pod's metric; 0 if the pod does not have it yet. */
  async metric({ name }: Pod, metric: string): Promise<number> {
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}:9090/proxy/metrics`;
    const text = await this.kubectl.ok(['get', '--raw', path]);
    const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
    return Number(line?.split(' ')[1] ?? 0);
  }

  /** Removes this connection's files; the installation remains. */
  async close(): Promise<void> {
    this.#release.close();
    await this.cluster.stop();
  }
}

/** Prints the state of the cluster if the action fails, including in a hook. */
async function describing(cluster: Cluster, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(await cluster.describe());
    throw error;
  }
}

function selectorOf(component: Component): string {
  return `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=${component}`;
}

async function bootstrapKey(kubectl: Kubectl): Promise<string> {
  const secret = ['get', 'secret', 'trifold-first-key', '--namespace', NAMESPACE];
  const base64 = await kubectl.ok([...secret, '--output=jsonpath={.data.key}']);
  return Buffer.from(base64, 'base64').toString();
}
