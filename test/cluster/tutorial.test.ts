import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { blocks, page, ROOT } from '../docs/pages.ts';
import { findHelm } from '../chart/helm.ts';
import { textOf } from '../support/files/pdf.ts';
import { builtImages } from '../support/kubernetes/cluster.ts';
import { findKubectl } from '../support/kubernetes/kubectl.ts';
import { freePorts } from '../support/processes/free-ports.ts';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey, run } from '../support/keys-command.ts';
import { Installation } from './installation.ts';
import { NAMESPACE } from './release.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const installation = await Installation.connect();
const folder = await temporaryDirectory();
afterAll(() => removeDirectory(folder));

/** Section of docs/run/upgrade.md that needs its own image. */
const REHEARSAL = /^## Rehearse an upgrade$[^]*?(?=^## )/m;

/** Runs commands as a user would paste them, in this installation's namespace. Returns their output. */
async function pasted(commands: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const programs = [await findKubectl(), await findHelm()].map((program) => dirname(program!));
  const env = {
    ...process.env,
    KUBECONFIG: installation.cluster.kubeconfig,
    PATH: [...programs, process.env['PATH']].join(delimiter),
    ...more,
  };
  const namespace = /(-n |--namespace |namespaces\/|namespace: |trifold-gateway\.)trifold\b/g;
  const text = commands.join('\n').replaceAll(namespace, `$1${NAMESPACE}`);
  const input = ['set -euxo pipefail', "trap 'kill %1 || true' EXIT", text].join('\n');
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
  const commands = texts.flatMap((text) => blocks(text.replace(REHEARSAL, ''), 'sh')).join('\n');
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

it('the rehearsal of an upgrade compares samples in a Job and reports those that fail', async () => {
  const { cluster, live } = installation;
  const api = await clientWithNewKey(live.url, cluster.kubeconfig, { account: 'rehearsal', type: 'test' });
  const { id } = await templateWithSample(api, { name: 'Receipt', html: '<p>Total: {{total}}</p>' });
  const passed = await rehearse(api.key);
  expect(passed).toMatchObject({
    code: '0',
    output: `Receipt (${id}, version 1), sample coffee: passed\n1 passed\n`,
  });
  expect(passed.report).toContain('<h2>Passed</h2>');

  const schema = { fields: [{ name: 'address', type: 'string', required: true }] };
  await templateWithSample(api, { name: 'Letter', schema });
  const failed = await rehearse(api.key);
  expect(failed).toMatchObject({ code: '1' });
  expect(failed.output).toMatch(/^Letter .*: failed\n {2}error: the service: .*address/m);
  expect(failed.report).toContain('<h2>Failed</h2>');
});

async function templateWithSample(api: Api, template: Record<string, unknown>) {
  const created = await api.createTemplate(template);
  const samples = [{ name: 'coffee', data: { total: '3.50' } }];
  const saved = await api.send('PUT', `/v1/templates/${created.id}/samples`, { body: { samples } });
  expect(saved.status, saved.text).toBe(200);
  return created;
}

/** Runs the page's Job and deletes it. Returns its log, its exit code and its report. */
async function rehearse(key = '') {
  const [section = ''] = REHEARSAL.exec(await page('docs/run/upgrade.md')) ?? [];
  const image = builtImages().find((name) => name.includes('rehearsal')) ?? '';
  const [create = '', finish = ''] = blocks(section, 'sh').slice(-2);
  const [read = '', remove = ''] = finish.split(/(?=^kubectl .* delete )/m);
  await pasted([create.replaceAll(/registry\S+rehearsal:\S+/g, image)], { TRIFOLD_KEY: key });
  const pods = (path: string) =>
    installation.ours('get', 'pods', '--selector=job-name=rehearsal', `--output=jsonpath={${path}}`);
  await eventually(async () => (await pods('.items[*].status.phase')) === 'Running', { timeoutMs: 60_000 });
  const output = await pasted([read]);
  const code = await eventually(() => pods('.items[*]..terminated.exitCode'));
  await pasted([remove]);
  return { output, code, report: await readFile(join(folder, 'report.html'), 'utf8') };
}
