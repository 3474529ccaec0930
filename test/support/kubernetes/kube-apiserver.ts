import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { eventually, type EventuallyOptions } from '../eventually.ts';
import { onFreePorts } from '../processes/free-ports.ts';
import { HttpsClient } from '../http/https-client.ts';
import { OwnedProcess } from '../processes/owned-process.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

const START_DEADLINE_MS = 90_000;
const MANIFESTS = new URL('../../../crds/manifests/', import.meta.url);
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A running kube-apiserver with the CRDs of this repository. */
export interface KubeApiServer {
  /** Path of its kubeconfig file. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly token: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Compacts etcd's history up to the present, as an API server does every five minutes. */
  compact(): Promise<void>;
  /** Kills the API server, but not etcd, and restarts it. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Ends both processes and removes their data. */
  stop(): Promise<void>;
}

export interface KubeApiServerOptions {
  /**
   * Authorization mode for all users except the token holder; other users get tokens as service accounts.
   * @default AlwaysAllow
   */
  readonly authorization?: 'AlwaysAllow' | 'RBAC';
}

/** Returns the programs named by the environment; undefined if either is missing. */
export function kubeApiServerPrograms(
  env = process.env,
): { etcd: string; kubeApiServer: string } | undefined {
  const etcd = env['TRIFOLD_TEST_ETCD'];
  const kubeApiServer = env['TRIFOLD_TEST_KUBE_APISERVER'];
  return etcd && kubeApiServer ? { etcd, kubeApiServer } : undefined;
}

/**
 * Starts etcd and a kube-apiserver from the programs in TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER, installs
 * crds/manifests/ and resolves when every kind is served. There are no controllers: nothing is garbage-collected, and a
 * deleted namespace remains Terminating. The token holder has full access.
 */
export async function startKubeApiServer(options: KubeApiServerOptions = {}): Promise<KubeApiServer> {
  const programs = kubeApiServerPrograms();
  if (!programs) {
    throw new Error(
      'set TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER to the programs to test against (see docs/testing.md)',
    );
  }
  return onFreePorts(3, (ports) => startAt(programs, ports, options));
}

async function startAt(
  programs: { etcd: string; kubeApiServer: string },
  ports: readonly number[],
  options: KubeApiServerOptions,
): Promise<KubeApiServer> {
  const folder = await temporaryDirectory();
  const processes: OwnedProcess[] = [];
  const stop = async () => {
    await Promise.all(processes.map((running) => running.kill()));
    await removeDirectory(folder);
  };
  try {
    return { ...(await start(programs, ports, folder, processes, options)), stop };
  } catch (cause) {
    await stop();
    const logs = processes.map((running) => running.output).join('\n');
    throw new Error(`the real API server did not start: ${(cause as Error).message}\n${logs}`, { cause });
  }
}

async function start(
  programs: { etcd: string; kubeApiServer: string },
  [clientPort = 0, peerPort = 0, securePort = 0]: readonly number[],
  folder: string,
  processes: OwnedProcess[],
  { authorization = 'AlwaysAllow' }: KubeApiServerOptions,
): Promise<Omit<KubeApiServer, 'stop'>> {
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const url = `https://127.0.0.1:${securePort}`;
  const token = randomBytes(16).toString('hex');
  await writeServerFiles(folder, token);
  const run = (name: string, command: string, flags: Flags) => {
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const running = new OwnedProcess(name, command, args);
    processes.push(running);
    return running;
  };
  run('etcd', programs.etcd, etcdFlags(folder, etcdUrl, `http://127.0.0.1:${peerPort}`));
  const flags = { ...apiServerFlags(folder, etcdUrl, securePort), 'authorization-mode': authorization };
  const runApiServer = () => run('kube-apiserver', programs.kubeApiServer, flags);
  let apiServer = runApiServer();

  const waiting = {
    timeoutMs: START_DEADLINE_MS,
    giveUp: () => processes.map((running) => running.failure).find((failure) => failure !== undefined),
  };
  const caCertificate = await eventually(async () => (await readCa(folder)) ?? false, waiting);
  const client = new HttpsClient({ url, token, caCertificate });
  const isReady = async () => (await client.text({ method: 'GET', path: '/readyz' })).status === 200;
  try {
    await eventually(isReady, waiting);
    await installCrds(client, waiting);
  } finally {
    client.close();
  }
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigText(url, token, caCertificate), { mode: 0o600 });
  const restart = async () => {
    await apiServer.kill();
    apiServer = runApiServer();
    await eventually(isReady, { timeoutMs: START_DEADLINE_MS, giveUp: () => apiServer.failure });
    client.close();
  };
  return {
    kubeconfig,
    url,
    token,
    caCertificate,
    compact: () => compactEtcd(etcdUrl),
    restart,
  };
}

type Flags = Readonly<Record<string, string | number | boolean>>;

function etcdFlags(folder: string, clientUrl: string, peerUrl: string): Flags {
  return {
    'data-dir': join(folder, 'etcd'),
    'unsafe-no-fsync': true,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'log-level': 'warn',
  };
}

function apiServerFlags(folder: string, etcdUrl: string, securePort: number): Flags {
  return {
    'etcd-servers': etcdUrl,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': securePort,
    'cert-dir': folder,
    'token-auth-file': join(folder, 'tokens.csv'),
    'anonymous-auth': false,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(folder, 'service-account.key'),
    'service-account-signing-key-file': join(folder, 'service-account.key'),
    'service-cluster-ip-range': '10.43.0.0/24',
    // No controller creates service accounts.
    'disable-admission-plugins': 'ServiceAccount',
    'endpoint-reconciler-type': 'none',
    'enable-priority-and-fairness': false,
    // Old lists are read from etcd, so that compact() makes them expire.
    'feature-gates': 'ListFromCacheSnapshot=false',
    'shutdown-delay-duration': '0s',
  };
}

async function writeServerFiles(folder: string, token: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' });
  await writeFile(join(folder, 'service-account.key'), key, { mode: 0o600 });
  await writeFile(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
}

/** The server generates its certificate and appends the signing certificate to the same file. */
async function readCa(folder: string): Promise<string | undefined> {
  const chain = await readFile(join(folder, 'apiserver.crt'), 'utf8');
  const certificates = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
  return certificates.find((certificate) => new X509Certificate(certificate).ca);
}

async function installCrds(client: HttpsClient, waiting: EventuallyOptions): Promise<void> {
  const files = (await readdir(MANIFESTS)).filter((file) => file.endsWith('.yaml'));
  const names = await Promise.all(
    files.map(async (file) => {
      const crd = parse(await readFile(new URL(file, MANIFESTS), 'utf8')) as Crd;
      await client.json({
        method: 'POST',
        path: CRDS,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(crd),
      });
      return crd;
    }),
  );
  await Promise.all(
    names.map(({ metadata, spec }) =>
      eventually(async () => {
        const crd = (await client.json({ method: 'GET', path: `${CRDS}/${metadata.name}` })) as Crd;
        const conditions = crd.status?.conditions ?? [];
        // `Established` is set slightly before the handler serves the kind.
        const list = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`;
        await client.json({ method: 'GET', path: list });
        return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
      }, waiting),
    ),
  );
  const group = names[0]?.spec.group;
  await eventually(async () => {
    const root = (await client.json({ method: 'GET', path: '/openapi/v3' })) as { paths: object };
    return `apis/${group}/${names[0]?.spec.versions[0]?.name}` in root.paths;
  }, waiting);
}

interface Crd {
  metadata: { name: string };
  spec: { group: string; names: { plural: string }; versions: { name: string }[] };
  status?: { conditions?: { type: string; status: string; message: string }[] };
}

function kubeconfigText(server: string, token: string, caCertificate: string): string {
  const ca = Buffer.from(caCertificate).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}

async function compactEtcd(etcdUrl: string): Promise<void> {
  const { header } = await postEtcd(etcdUrl, '/v3/kv/range', { key: base64('none') });
  await postEtcd(etcdUrl, '/v3/kv/compaction', { revision: header.revision, physical: true });
}

/** Uses etcd's JSON gateway. */
type EtcdResponse = { readonly header: { readonly revision: string } };

async function postEtcd(etcdUrl: string, path: string, body: object): Promise<EtcdResponse> {
  const response = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd rejected ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { header: { revision: string } };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
