import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHelm, Helm, type ChartValues, type Manifest } from '../chart/helm.ts';
import { eventually } from '../support/eventually.ts';
import { builtImages } from '../support/kubernetes/cluster.ts';
import { Installation, type Component } from './installation.ts';
import { METADATA_ADDRESS, metadataPod, removeMetadata } from './metadata-pod.ts';
import { NAMESPACE, RELEASE } from './release.ts';
import { restrictedPod } from './restricted-pod.ts';

/** Namespace without policies. */
const OUTSIDE = 'outside';
/** Namespace with the policies of a release whose Redis and object store have IP addresses. */
const ADDRESSES = 'addresses';
/** The nodes of a given cluster may need their own metadata. */
const ownsNode = !process.env['TRIFOLD_TEST_CLUSTER_KUBECONFIG'];
/** Network plugins apply a policy some time after the pod has started. */
const ENFORCED_MS = 90_000;

/** Connects to each `address:port` and prints the results, one line each. Denied packets may be dropped. */
const CONNECT = `
  for target; do
    if timeout 5 bash -c "exec 3<>/dev/tcp/\${target%:*}/\${target##*:}" 2>/dev/null; then echo open; else echo closed; fi
  done`;

/** `address:port` by name. */
type Targets = Readonly<Record<string, string>>;

let installation: Installation;
let targets: Targets;

const imageOfGateway = () => builtImages().find((name) => name.includes('trifold-gateway')) ?? '';

async function start(namespace: string, name: string, pod: string): Promise<void> {
  const { kubectl } = installation;
  await kubectl.ok(['apply', '--namespace', namespace, '--filename', '-'], { stdin: pod });
  const ready = ['--for=condition=Ready', '--timeout=50s'];
  await kubectl.ok(['wait', `pod/${name}`, '--namespace', namespace, ...ready]);
}

/** Starts a pod that answers on these ports. Its readiness probe asks the first one. */
async function startListening(namespace: string, name: string, ports: readonly number[]): Promise<void> {
  const server = `
    for (const port of ${JSON.stringify(ports)}) require('http').createServer((_, answer) => answer.end()).listen(port)`;
  const readinessProbe = { httpGet: { path: '/', port: ports[0] }, periodSeconds: 1 };
  const container = { readinessProbe };
  await start(
    namespace,
    name,
    restrictedPod({ name, image: imageOfGateway(), command: ['node', '-e', server], container }),
  );
}

const field = (namespace: string, object: string, path: string) =>
  installation.kubectl.ok(['get', object, '--namespace', namespace, `--output=jsonpath=${path}`]);

async function findTargets(): Promise<Targets> {
  const pod = (namespace: string, name: string) => field(namespace, `pod/${name}`, '{.status.podIP}');
  const part = async (component: Component) => {
    const [first] = await installation.pods(component);
    return pod(NAMESPACE, first!.name);
  };
  const service = (name: string, namespace = NAMESPACE) =>
    field(namespace, `service/${name}`, '{.spec.clusterIP}');
  const [outsider, controller, renderer] = await Promise.all([
    pod(OUTSIDE, 'outsider'),
    part('controller'),
    part('renderer'),
  ]);
  const apiServer = '{.subsets[0].addresses[0].ip}:{.subsets[0].ports[0].port}';
  return {
    'gateway, its pod': `${await part('gateway')}:8080`,
    'gateway, its Service': `${await service('trifold-gateway')}:80`,
    'controller, metrics': `${controller}:9090`,
    'renderer, metrics': `${renderer}:9090`,
    'renderer, previews': `${renderer}:9091`,
    'redis, its pod': `${await part('redis')}:6379`,
    'redis, its Service': `${await service('trifold-redis')}:6379`,
    'minio, its pod': `${await part('minio')}:9000`,
    'API server, its Service': `${await service('kubernetes', 'default')}:443`,
    'API server, its node': await field('default', 'endpoints/kubernetes', apiServer),
    'cluster DNS': `${await service('kube-dns', 'kube-system')}:53`,
    'other pod': `${outsider}:8080`,
    ...(ownsNode && { 'metadata of the cloud': `${METADATA_ADDRESS}:80` }),
  };
}

beforeAll(async () => {
  installation = await Installation.connect();
  await installation.kubectl.ok(['create', 'namespace', OUTSIDE]);
  await startListening(OUTSIDE, 'outsider', [8080, 6379, 9000]);
  if (ownsNode) await start(OUTSIDE, 'metadata', metadataPod(imageOfGateway()));
  targets = await findTargets();
});
afterAll(async () => {
  if (ownsNode) await removeMetadata(installation.kubectl, OUTSIDE);
  await installation.kubectl.run(['delete', 'namespace', OUTSIDE, ADDRESSES, '--wait=false']);
  await installation.close();
});

/** Waits until exactly these of `among` answer to the pod. */
async function expectOpen(
  { namespace = NAMESPACE, pod }: { namespace?: string; pod: string },
  open: readonly string[],
  among: Targets,
): Promise<void> {
  const connect = ['bash', '-c', CONNECT, 'connect', ...Object.values(among)];
  const look = async () => {
    const lines = await installation.kubectl.ok(['exec', '--namespace', namespace, pod, '--', ...connect]);
    const results = lines.trim().split('\n');
    expect(Object.keys(among).filter((_, index) => results[index] === 'open')).toEqual(open);
  };
  await eventually(look, { timeoutMs: ENFORCED_MS, intervalMs: 1000 });
}

describe('Enforced NetworkPolicies', () => {
  it('close everything to other pods except the API and the metrics', async () => {
    const closed = ['renderer, previews', 'redis, its pod', 'redis, its Service', 'minio, its pod'];
    const open = Object.keys(targets).filter((name) => !closed.includes(name));
    await expectOpen({ namespace: OUTSIDE, pod: 'outsider' }, open, targets);
  });

  const REDIS = ['redis, its pod', 'redis, its Service'];
  const API_SERVER = ['API server, its Service', 'API server, its node'];
  it.each<[Component, string[]]>([
    ['renderer', [...REDIS, 'minio, its pod', 'cluster DNS']],
    ['gateway', ['renderer, previews', 'minio, its pod', ...API_SERVER, 'cluster DNS']],
    ['controller', [...REDIS, 'minio, its pod', ...API_SERVER, 'cluster DNS']],
    ['redis', []],
  ])('let the %s reach only what it needs', async (component, open) => {
    const [pod] = await installation.pods(component);
    // A pod always reaches itself.
    const others = Object.entries(targets).filter(([name]) => !name.startsWith(component));
    await expectOpen({ pod: pod!.name }, open, Object.fromEntries(others));
  });

  it('close DNS to renderers if Redis and the object store have IP addresses', async () => {
    const { kubectl } = installation;
    const [outsider] = targets['other pod']!.split(':');
    const policies = await policiesFor({
      redis: { bundled: { enabled: false }, external: { url: `redis://${outsider}:6379` } },
      objectStore: {
        bundled: { enabled: false },
        external: { endpoint: `http://${outsider}:9000`, existingSecret: 's3' },
      },
    });
    await kubectl.ok(['create', 'namespace', ADDRESSES]);
    for (const policy of policies) {
      await kubectl.ok(['apply', '--filename', '-'], { stdin: JSON.stringify(policy) });
    }
    await startListening(ADDRESSES, 'renderer', [9090]);
    const { spec } = policies.find(({ metadata }) => metadata.name === 'trifold-renderer')!;
    const labels = Object.entries(spec.podSelector.matchLabels as object).map((pair) => pair.join('='));
    await kubectl.ok(['label', 'pod', 'renderer', '--namespace', ADDRESSES, ...labels]);
    await expectOpen({ namespace: ADDRESSES, pod: 'renderer' }, ['redis', 'store'], {
      redis: `${outsider}:6379`,
      store: `${outsider}:9000`,
      'another port': `${outsider}:8080`,
      'cluster DNS': targets['cluster DNS']!,
    });
  });
});

/** Returns the policies of the chart with these values, for the namespace ADDRESSES. */
async function policiesFor(values: ChartValues): Promise<Manifest[]> {
  const helm = new Helm((await findHelm()) ?? 'helm');
  try {
    const manifests = await helm.render(values, { release: RELEASE, namespace: ADDRESSES });
    return manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  } finally {
    helm.remove();
  }
}
