import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { run } from '../support/keys-command.ts';
import { findKubectl } from '../support/kubernetes/kubectl.ts';
import { freePorts } from '../support/processes/free-ports.ts';
import { Installation } from './installation.ts';
import { NAMESPACE } from './release.ts';

let installation: Installation;
let folder: string;
beforeAll(async () => {
  installation = await Installation.connect();
  folder = await mkdtemp(join(tmpdir(), 'trifold-tutorial-'));
});
afterAll(async () => {
  await installation?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the commands of the tutorial between two headings, for the namespace of this installation and this port. */
async function commands(port: number): Promise<string> {
  const text = await page('docs/tutorials/cluster.md');
  const [, used = ''] = /^## Generate a document through the API$([\s\S]*)^## Clean up$/m.exec(text) ?? [];
  return blocks(used, 'sh')
    .join('\n')
    .replaceAll('-n trifold ', `-n ${NAMESPACE} `)
    .replaceAll('8080', String(port));
}

it('the commands of the cluster tutorial work as pasted', async () => {
  const kubectl = await findKubectl();
  const env = {
    ...process.env,
    KUBECONFIG: installation.cluster.kubeconfig,
    PATH: [dirname(kubectl!), process.env['PATH']].join(delimiter),
  };
  const [port] = await freePorts(1);
  const input = ['set -euo pipefail', "trap 'kill %1' EXIT", await commands(port!)].join('\n');
  const result = await run('bash', [], { env, cwd: folder, input });
  expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
  expect(result.stdout).toMatch(/^first +greeting +Completed /m);
  // Both pods were stopping when `later.pdf` was accepted.
  for (const file of ['hello.pdf', 'first.pdf', 'later.pdf']) {
    expect((await readFile(join(folder, file), 'latin1')).slice(0, 5)).toBe('%PDF-');
  }
  await installation.readyPods('renderer', 2);
});
