import { afterAll, afterEach, beforeAll, expect, inject, onTestFailed, test } from 'vitest';
import { builtImages, connectCluster, type Cluster } from '../support/kubernetes/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf } from '../support/files/pdf.ts';
import { restrictedPod, type RestrictedPod } from './restricted-pod.ts';

const NAMESPACE = 'images';
const SERVICES = ['gateway', 'controller', 'renderer'] as const;
const MANY_SCRIPTS = 'Grüße Ελλάδα Привет 你好 かな 한국 مرحبا नमस्ते';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await connectCluster(inject('cluster'));
  const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const metadata = { name: NAMESPACE, labels: restricted };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
  await apply(JSON.stringify(namespace), 'default');
});

afterEach(() => cluster.kubectl.ok(['delete', 'pods', '--all', '-n', NAMESPACE]));

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

/** Runs a pod that must succeed, and returns its output. */
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
  'the %s image runs as an unprivileged user and contains no build tools',
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

test.for(['gateway', 'controller'])('the %s image contains the CLI', async (service) => {
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
    // PDF readers disagree on where a letter cluster ends, so ignore spaces.
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
