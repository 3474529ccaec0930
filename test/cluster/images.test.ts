import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from 'vitest';
import { builtImages, type Cluster } from '../support/kubernetes/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf } from '../support/files/pdf.ts';
import { clusterUnderTest } from './cluster-under-test.ts';
import { restrictedPod, type RestrictedPod } from './restricted-pod.ts';

const NAMESPACE = 'images';
const SERVICES = ['gateway', 'controller', 'renderer'] as const;
const MANY_SCRIPTS = 'Grüße Ελλάδα Привет 你好 かな 한국 مرحبا नमस्ते';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await clusterUnderTest();
  const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE, labels: restricted },
  };
  await apply(JSON.stringify(namespace), 'default');
});

afterEach(async () => {
  await cluster.kubectl.ok(['delete', 'pods,services,persistentvolumeclaims', '--all', '-n', NAMESPACE]);
});

afterAll(async () => {
  await cluster.kubectl.ok(['delete', 'namespace', NAMESPACE, '--wait=false']);
  await cluster.stop();
});

function imageOf(part: string): string {
  const name = builtImages().find((image) => image.includes(part));
  if (!name) throw new Error(`no image of ${part} among ${builtImages().join(' ')}`);
  return name;
}

async function apply(yaml: string, namespace = NAMESPACE): Promise<void> {
  await cluster.kubectl.ok(['apply', '-n', namespace, '-f', '-'], { stdin: yaml });
}

async function phaseOf(name: string): Promise<string> {
  return cluster.kubectl.ok(['get', 'pod', name, '-n', NAMESPACE, '--output=jsonpath={.status.phase}']);
}

/** Runs a pod, which must succeed, and returns its output. */
async function outputOf(pod: RestrictedPod): Promise<string> {
  onTestFailed(async () => console.log(await cluster.describe()));
  await apply(restrictedPod(pod));
  const phase = await eventually(
    async () => {
      const phase = await phaseOf(pod.name);
      return phase === 'Succeeded' || phase === 'Failed' ? phase : false;
    },
    { timeoutMs: 90_000 },
  );
  const { stdout } = await cluster.kubectl.run(['logs', pod.name, '-n', NAMESPACE]);
  expect(phase, stdout).toBe('Succeeded');
  return stdout;
}

test.for(SERVICES)(
  'the image of the %s runs as an unprivileged user and contains no build tools',
  async (service) => {
    const script = [
      'id -u; node --version',
      'touch /app/x 2>/dev/null && echo "the root is writable"',
      'for tool in npm npx yarn corepack gcc make python3 curl; do command -v $tool; done',
      'for left in typescript vitest oxlint testcontainers @sparticuz; do ls -d /app/node_modules/$left; done 2>/dev/null',
      "find /app -name node_modules -prune -o \\( -name '*.test.ts' -o -name testing \\) -print",
      'true',
    ].join('\n');
    const output = await outputOf({ name: 'look', image: imageOf(service), command: ['sh', '-c', script] });
    expect(output.trim().split('\n')).toEqual(['10001', expect.stringMatching(/^v24\./)]);
  },
);

test.for(SERVICES)('the process of the %s starts and names a missing setting', async (service) => {
  await apply(restrictedPod({ name: 'bare', image: imageOf(service) }));
  await eventually(async () => (await phaseOf('bare')) === 'Failed', { timeoutMs: 60_000 });
  const log = await cluster.kubectl.ok(['logs', 'bare', '-n', NAMESPACE]);
  expect(log).toContain(
    `${service === 'renderer' ? 'TRIFOLD_REDIS_URL' : 'TRIFOLD_S3_ENDPOINT'} must be set`,
  );
});

test.for(['gateway', 'controller'])('the image of the %s contains the CLI', async (service) => {
  const command = ['node', 'cli/bin/trifold.ts', '--help'];
  expect(await outputOf({ name: 'cli', image: imageOf(service), command })).toContain('keys create');
});

test('the renderer image prints text in many scripts', async () => {
  const script = [
    `printf '<meta charset=utf-8><p>%s' '${MANY_SCRIPTS}' > /tmp/page.html`,
    '"$TRIFOLD_BROWSER" --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=/tmp/page.pdf file:///tmp/page.html 2>/dev/null',
    'base64 -w0 /tmp/page.pdf',
  ].join(' && ');
  const output = await outputOf({ name: 'print', image: imageOf('renderer'), command: ['sh', '-c', script] });
  const pages = await readPdf(Buffer.from(output.trim(), 'base64'));
  expect(pages).toHaveLength(1);
  for (const word of ['Grüße', 'Ελλάδα', 'Привет', '你好', 'かな', '한국', 'नमस्ते']) {
    // PDF readers disagree on where a cluster of letters ends, so ignore spaces.
    expect(pages[0]?.text.replaceAll(' ', '')).toContain(word);
  }
});

test('the fonts of the renderer image cover every script of the sample', async () => {
  const letters = Array.from(`${MANY_SCRIPTS}😀`.replaceAll(' ', ''), (letter) =>
    letter.codePointAt(0)!.toString(16),
  );
  const script = `for letter in ${letters.join(' ')}; do echo "$letter $(fc-list ":charset=$letter" | wc -l)"; done`;
  const output = await outputOf({ name: 'fonts', image: imageOf('renderer'), command: ['sh', '-c', script] });
  expect(output.split('\n').filter((line) => line.endsWith(' 0'))).toEqual([]);
});

test('pods reach each other by name through a Service, and are reachable from outside', async () => {
  const server = "require('http').createServer((q, r) => r.end('heard ' + q.url)).listen(8080)";
  const readiness = { readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 } };
  const image = imageOf('gateway');
  await apply(restrictedPod({ name: 'web', image, command: ['node', '-e', server], container: readiness }));
  await apply(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: {
        selector: { app: 'web' },
        ports: [{ port: 80, targetPort: 8080 }],
      },
    }),
  );
  await cluster.kubectl.ok(['wait', 'pod/web', '-n', NAMESPACE, '--for=condition=Ready', '--timeout=50s']);
  // The node receives the rules of a Service shortly after its pod is ready.
  const client = `
    const look = (left) => fetch('http://web.${NAMESPACE}.svc.cluster.local/inside')
      .then(async (answer) => console.log(await answer.text()))
      .catch((error) => {
        if (left === 0) throw error;
        setTimeout(look, 500, left - 1);
      });
    look(40);`;
  expect(await outputOf({ name: 'client', image, command: ['node', '-e', client] })).toBe('heard /inside\n');
  const forward = await cluster.forward(NAMESPACE, 'service/web', 80);
  expect(await (await fetch(`${forward.url}/forwarded`)).text()).toBe('heard /forwarded');
  await forward.stop();
});

test('a service account has only the permissions of its role, and its token authenticates it', async () => {
  const script = `
    const { readFileSync } = require('fs');
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount/';
    const authorization = 'Bearer ' + readFileSync(folder + 'token', 'utf8');
    fetch('https://kubernetes.default.svc/api/v1/namespaces/${NAMESPACE}/pods', { headers: { authorization } })
      .then((answer) => answer.json()).then(({ code, message }) => console.log(code, message));`;
  const output = await outputOf({
    name: 'caller',
    image: imageOf('gateway'),
    command: ['node', '-e', script],
    env: { NODE_EXTRA_CA_CERTS: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt' },
  });
  expect(output).toMatch(/^403 pods is forbidden: User "system:serviceaccount:images:default"/);
});

test('the cluster binds a claim of the default class to a writable volume', async () => {
  await apply(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  );
  const command = ['sh', '-c', 'echo kept > /data/file && cat /data/file'];
  expect(await outputOf({ name: 'writer', image: imageOf('gateway'), command, claim: 'data' })).toBe(
    'kept\n',
  );
});

test('the cluster serves the metrics that autoscaling needs', async () => {
  const node = await eventually(
    async () => {
      const { code, stdout } = await cluster.kubectl.run(['top', 'nodes', '--no-headers']);
      return code === 0 && stdout;
    },
    { timeoutMs: 90_000, intervalMs: 1_000 },
  );
  expect(node).toMatch(/\d+m\s+\d+%\s+\d+Mi/);
});

test('the cluster rejects a pod that PodSecurity restricted does not allow', async () => {
  const args = ['run', 'greedy', `--image=${imageOf('gateway')}`, '--restart=Never', '-n', NAMESPACE];
  expect(await cluster.kubectl.rejected(args)).toContain('violates PodSecurity "restricted:latest"');
});
