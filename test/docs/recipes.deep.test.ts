import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { findKubectl } from '../support/kubernetes/kubectl.ts';
import { run } from '../support/keys-command.ts';
import { blocks, page, ROOT } from './pages.ts';

const kubectl = await findKubectl();
const script = blocks(await page('docs/platform-engineers.md'), 'sh');

function whyNot(): string | undefined {
  if (process.env['CI']) return undefined;
  if (kubectl === undefined) return 'there is no kubectl ≥ 1.27';
  if (spawnSync('jq', ['--version']).error) return 'there is no jq on PATH';
  return whyNoClusterProcesses();
}
const missing = whyNot();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('docs/platform-engineers.md', () => {
  let cluster: ClusterProcesses;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trifold-recipes-'));
    if (kubectl?.includes('/')) await symlink(kubectl, join(folder, 'kubectl'));
    cluster = await ClusterProcesses.start({ controllers: 1 });
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has commands that work one after the other', async () => {
    const env = {
      ...process.env,
      HOME: folder,
      TMPDIR: folder,
      PATH: `${folder}:${process.env['PATH']}`,
      KUBECONFIG: cluster.kubeconfig,
    };
    const lines = ['set -euo pipefail', ...script.flatMap((block) => [`set -x`, block])];
    const result = await run('bash', [], { env, cwd: fileURLToPath(ROOT), input: lines.join('\n') });
    expect(script.length).toBeGreaterThan(8);
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toContain('template_not_found: there is no template nowhere in namespace letters');
    expect(result.stdout).toMatch(/line 1, column \d+: /);
    expect(result.stdout).toMatch(/"documents": \d+/);
    expect(result.stdout).toContain('apiserver_request_total');
  });
});
