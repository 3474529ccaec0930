import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { blocks, page, ROOT } from '../docs/pages.ts';
import { findHelm } from '../chart/helm.ts';
import { textOf } from '../support/files/pdf.ts';
import { run } from '../support/keys-command.ts';
import { findKubectl } from '../support/kubernetes/kubectl.ts';
import { freePorts } from '../support/processes/free-ports.ts';
import { Installation } from './installation.ts';
import { NAMESPACE } from './release.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const installation = await Installation.connect();
const folder = await temporaryDirectory();
afterAll(() => removeDirectory(folder));

/** Runs commands as a user would paste them, in this installation's namespace. Returns their output. */
async function pasted(commands: readonly string[]): Promise<string> {
  const programs = [await findKubectl(), await findHelm()].map((program) => dirname(program!));
  const env = {
    ...process.env,
    KUBECONFIG: installation.cluster.kubeconfig,
    PATH: [...programs, process.env['PATH']].join(delimiter),
  };
  const text = commands.join('\n').replaceAll(/(-n |--namespace |namespaces\/)trifold\b/g, `$1${NAMESPACE}`);
  const input = ['set -euxo pipefail', "trap 'kill %1' EXIT", text].join('\n');
  const result = await run('bash', [], { env, cwd: folder, input });
  expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
  return result.stdout;
}

it('the commands of the cluster tutorial work as pasted', async () => {
  const text = await page('docs/tutorials/cluster.md');
  const [, used = ''] = /^## Generate a document through the API$([\s\S]*)^## Clean up$/m.exec(text) ?? [];
  const [port] = await freePorts(1);
  const printed = await pasted(blocks(used.replaceAll('8080', String(port)), 'sh'));
  expect(printed).toMatch(/^first +greeting +Completed /m);
  // Both pods were stopping when `later.pdf` was accepted.
  for (const file of ['hello.pdf', 'first.pdf', 'later.pdf']) {
    expect((await readFile(join(folder, file), 'latin1')).slice(0, 5)).toBe('%PDF-');
  }
  await installation.readyPods('renderer', 2);
});

it('the commands for operators work as pasted and put new keys into use', async () => {
  const { live } = installation;
  const template = await live.createTemplate({ name: 'Kept', html: '<p>Kept for {{name}}</p>' });
  const [pod] = await installation.pods('controller');
  const [port] = await freePorts(1);
  const pages = ['monitoring', 'production-checklist', 'runbooks', 'upgrade'];
  const texts = await Promise.all(pages.map(async (name) => page(`docs/run/${name}.md`)));
  // A rehearsal needs a registry and the images of two releases.
  const rehearsal = /^## Rehearse an upgrade$[^]*?(?=^## )/m;
  const commands = texts.flatMap((text) => blocks(text.replace(rehearsal, ''), 'sh')).join('\n');
  await pasted([
    // A user pastes one command after another and sees when nothing is found.
    'curl() { command curl --retry 30 --retry-connrefused --retry-delay 1 "$@"; }',
    'grep() { command grep "$@" || true; }',
    `POD=${pod?.name}; ln -s ${fileURLToPath(new URL('charts', ROOT))} charts; helm get values trifold --namespace trifold -o yaml >values.yaml`,
    commands.replaceAll(/(trifold-controller |localhost:)9090\b/g, (_, where: string) =>
      where.endsWith(':') ? `${where}${port}` : `${where}${port}:9090`,
    ),
  ]);
  for (const service of ['gateway', 'controller', 'renderer'] as const)
    await installation.readyPods(service, 2);
  expect(await textOf(await live.document(template.id, { name: 'Ada' }))).toBe('Kept for Ada');
});
