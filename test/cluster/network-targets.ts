import { builtImages } from '../support/kubernetes/cluster.ts';
import type { Component, Installation } from './installation.ts';
import { METADATA_ADDRESS, metadataPod, removeMetadata } from './metadata-pod.ts';
import { NAMESPACE } from './release.ts';
import { restrictedPod } from './restricted-pod.ts';

/** `address:port` by name. A name begins with the component it belongs to. */
export type Targets = Readonly<Record<string, string>>;

/** Name of the pod in the namespace without policies. */
export const OUTSIDER = 'outsider';

/** An external cluster's nodes may need their real metadata service. */
const ownsNode = !process.env['TRIFOLD_TEST_CLUSTER_KUBECONFIG'];

const imageOfGateway = () => builtImages().find((name) => name.includes('trifold-gateway')) ?? '';

/** Cluster addresses that a pod may try to reach: every component, the API server, DNS, and a pod elsewhere. */
export class NetworkTargets {
  readonly targets: Targets;
  readonly #installation: Installation;
  readonly #outside: string;

  private constructor(installation: Installation, outside: string, targets: Targets) {
    this.#installation = installation;
    this.#outside = outside;
    this.targets = targets;
  }

  /** Creates the namespace `outside`, without policies, with a responding pod, and a cloud metadata service. */
  static async start(installation: Installation, outside: string): Promise<NetworkTargets> {
    await installation.kubectl.ok(['create', 'namespace', outside]);
    await startListening(installation, { namespace: outside, name: OUTSIDER, ports: [8080, 6379, 9000] });
    if (ownsNode) {
      const pod = metadataPod(imageOfGateway());
      await startPod(installation, { namespace: outside, name: 'metadata', pod });
    }
    return new NetworkTargets(installation, outside, await findTargets(installation, outside));
  }

  async stop(): Promise<void> {
    const { kubectl } = this.#installation;
    if (ownsNode) await removeMetadata(kubectl, this.#outside);
    await kubectl.run(['delete', 'namespace', this.#outside, '--wait=false']);
  }
}

/** Starts a pod that responds on these ports. Its readiness probe uses the first one. */
async function startListening(
  installation: Installation,
  { namespace, name, ports }: { namespace: string; name: string; ports: readonly number[] },
): Promise<void> {
  const server = `
    for (const port of ${JSON.stringify(ports)}) require('http').createServer((_, answer) => answer.end()).listen(port)`;
  const container = { readinessProbe: { httpGet: { path: '/', port: ports[0] }, periodSeconds: 1 } };
  const pod = restrictedPod({ name, image: imageOfGateway(), command: ['node', '-e', server], container });
  await startPod(installation, { namespace, name, pod });
}

async function startPod(
  { kubectl }: Installation,
  { namespace, name, pod }: { namespace: string; name: string; pod: string },
): Promise<void> {
  await kubectl.ok(['apply', '--namespace', namespace, '--filename', '-'], { stdin: pod });
  const ready = ['--for=condition=Ready', '--timeout=50s'];
  await kubectl.ok(['wait', `pod/${name}`, '--namespace', namespace, ...ready]);
}

async function findTargets(installation: Installation, outside: string): Promise<Targets> {
  const field = (namespace: string, object: string, path: string) =>
    installation.kubectl.ok(['get', object, '--namespace', namespace, `--output=jsonpath=${path}`]);
  const pod = (namespace: string, name: string) => field(namespace, `pod/${name}`, '{.status.podIP}');
  const part = async (component: Component) => {
    const [first] = await installation.pods(component);
    return pod(NAMESPACE, first!.name);
  };
  const service = (name: string, namespace = NAMESPACE) =>
    field(namespace, `service/${name}`, '{.spec.clusterIP}');
  const parts = [pod(outside, OUTSIDER), part('controller'), part('renderer')] as const;
  const [outsider, controller, renderer] = await Promise.all(parts);
  const apiServer = '{.subsets[0].addresses[0].ip}:{.subsets[0].ports[0].port}';
  return {
    'gateway (pod)': `${await part('gateway')}:8080`,
    'gateway (Service)': `${await service('trifold-gateway')}:80`,
    'controller (metrics)': `${controller}:9090`,
    'renderer (metrics)': `${renderer}:9090`,
    'renderer (previews)': `${renderer}:9091`,
    'redis (pod)': `${await part('redis')}:6379`,
    'redis (Service)': `${await service('trifold-redis')}:6379`,
    'minio (pod)': `${await part('minio')}:9000`,
    'API server (Service)': `${await service('kubernetes', 'default')}:443`,
    'API server (node)': await field('default', 'endpoints/kubernetes', apiServer),
    'cluster DNS': `${await service('kube-dns', 'kube-system')}:53`,
    'other pod': `${outsider}:8080`,
    ...(ownsNode && { 'metadata of the cloud': `${METADATA_ADDRESS}:80` }),
  };
}

/** Returns the targets other than this component's pod: a pod can always reach itself. */
export function targetsBeyond(component: Component, targets: Targets): Targets {
  return Object.fromEntries(Object.entries(targets).filter(([name]) => !name.startsWith(component)));
}
