import { spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { findKubectl } from '../support/kubernetes/kubectl.ts';
import { clientWithNewKey, run } from '../support/keys-command.ts';
import { blocks, KUBECTL_PAGES, page, ROOT } from './pages.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const kubectl = await findKubectl();
const kubectlPages = await Promise.all(KUBECTL_PAGES.map(page));
const script = kubectlPages.flatMap((text) => blocks(text, 'sh'));

function whyNot(): string | undefined {
  if (process.env['CI']) return undefined;
  if (kubectl === undefined) return 'there is no kubectl ≥ 1.31';
  if (spawnSync('jq', ['--version']).error) return 'there is no jq on PATH';
  return whyNoClusterProcesses();
}
const missing = whyNot();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('Commands in the docs', () => {
  let cluster: ClusterProcesses;
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryDirectory();
    if (kubectl?.includes('/')) await symlink(kubectl, join(folder, 'kubectl'));
    cluster = await ClusterProcesses.start({ controllers: 1 });
  });
  afterAll(async () => {
    await cluster?.stop();
    await removeDirectory(folder);
  });

  /** Runs commands one after another, as a user would paste them. */
  async function pasted(commands: readonly string[], kubeconfig = cluster.kubeconfig, cwd = folder) {
    const path = `${folder}:${process.env['PATH']}`;
    const env = { ...process.env, HOME: folder, TMPDIR: folder, PATH: path, KUBECONFIG: kubeconfig };
    const input = ['set -euxo pipefail', ...commands].join('\n');
    const result = await run('bash', [], { env, cwd, input });
    expect(result.code, result.stderr).toBe(0);
    return result;
  }

  it('the pages about kubectl have commands that work in sequence', async () => {
    expect(script.length).toBeGreaterThan(8);
    const result = await pasted(script, cluster.kubeconfig, fileURLToPath(ROOT));
    expect(result.stdout).toContain('template_not_found: there is no template nowhere in namespace letters');
    expect(result.stdout).toMatch(/line 1, column \d+: /);
    expect(result.stdout).toMatch(/"documents": \d+/);
    expect(result.stdout).toContain('apiserver_request_total');
  });

  it('docs/run/ has commands that create Secrets, and that restore templates and keys in another cluster', async () => {
    const { key } = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account: 'acme' });
    const api = new Api(cluster.url, key);
    const { id } = await api.createTemplate({ name: 'Saved', html: '<p>Saved</p>' });
    const [backup = '', restore = ''] = blocks(await page('docs/run/backup.md'), 'sh');
    // The test does not include the sources of large templates. Every cluster has the namespace `default`.
    const store = 'aws() { :; }';
    await pasted([store, 'kubectl label namespace default trifold.dev/account-', backup]);
    const other = await ClusterProcesses.start({ controllers: 1 });
    onTestFinished(() => other.stop());
    const secrets = await Promise.all(
      ['argo-cd-and-flux', 'oidc'].map(async (name) => blocks(await page(`docs/run/${name}.md`), 'sh')),
    );
    const release = `export REDIS_PASSWORD=a S3_ACCESS_KEY=b S3_SECRET_KEY=c OIDC_CLIENT_SECRET=d
      ${secrets.flat().join('\n')}
      kubectl -n trifold create deployment trifold-controller --image=none
      kubectl -n trifold label deployment trifold-controller app.kubernetes.io/instance=trifold`;
    await pasted([store, release, restore], other.kubeconfig);
    const restored = new Api(other.url, key);
    await eventually(async () =>
      expect((await restored.get(`/v1/templates/${id}`)).json()).toMatchObject({ name: 'Saved', version: 1 }),
    );
  });
});
