import { spawn } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readPdf } from '@trifold/renderer/testing/files/read-pdf.ts';
import { execute } from '@trifold/test-support/built-client.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { suiteDirectory, testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { run } from '@trifold/test-support/keys-command.ts';
import { inventKeys, REPOSITORY } from '@trifold/test-support/service.ts';
import { blocks, page } from '../docs/pages.ts';
import { freshService } from './fresh-service.ts';

const [TOO_OLD, ...OTHER_NODES] = process.env['TRIFOLD_TEST_NODES']?.split(':') ?? [];
const MAX_INSTALLED_BYTES = 200e6;
const { version: CANVAS_VERSION } = JSON.parse(
  await readFile(path.join(REPOSITORY, 'node_modules/@napi-rs/canvas/package.json'), 'utf8'),
) as { version: string };

interface Locked {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** An outside project that has installed the tarball. */
const project = suiteDirectory();
const BUILT = path.join(suiteDirectory(), 'package');
await execute(REPOSITORY, process.execPath, 'standalone/package/build.ts', '--out', BUILT);
await execute(project, 'npm', 'pack', BUILT);
const TARBALL = path.join(project, 'trifold-cli-0.1.0.tgz');
await execute(project, 'npm', 'install', '--prefix', project, '--engine-strict=false', TARBALL);
const BIN = path.join(project, 'node_modules/.bin/trifold');

const FILES = {
  'invoice.html': '<title>Invoice</title>\n<h1>{{title}} {{number}}</h1>\n<p>{{total}}</p>',
  'invoice.json': '{"number": 12345678901234567890}',
  'a3.json': '{"page_size": "a3"}',
  'open.html': '<p>\n{{#if a}}</p>',
  'token.json': '{\n  "a": x\n}',
  'short.json': '{"a": [1,',
  'list.json': '[]',
  'options.json': '{"page_size": "a9",\n"colour": 1}',
  'schema.json':
    '{"fields": [{"name": "total", "type": "number"}, {"name": "b", "type": "number", "required": true}]}',
  'wrong.json': '{\n  "total": "1"}',
};
await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(path.join(project, name), text)));

interface TrifoldOptions {
  /** @default the outside project */
  readonly cwd?: string;
  readonly node?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function trifold(words: string, options: TrifoldOptions = {}) {
  const { node = process.execPath, cwd = project, input = '', env } = options;
  const bin = path.join(cwd, 'node_modules/.bin/trifold');
  return run(node, [bin, ...words.split(' ').filter(Boolean)], {
    cwd,
    input,
    env: { ...process.env, ...env },
  });
}

describe.each([process.execPath, ...OTHER_NODES])('The installed package, on %s', (node) => {
  it('renders a file and names the lines of its warnings', async () => {
    const words = 'render invoice.html -d invoice.json -o out.pdf --options a3.json';
    const { code, stderr } = await trifold(words, { node });
    expect(stderr).toMatch(
      /^invoice\.html:2:5: warning: .*title.*\ninvoice\.html:3:4: warning: .*total.*\nwrote out\.pdf/,
    );
    expect(code).toBe(0);
    const { pages } = await readPdf(await readFile(path.join(project, 'out.pdf')));
    expect(pages[0]?.text).toContain('12345678901234567890');
  });

  it('runs the service with its pages and its commands', async () => {
    const data = testDirectory();
    const env = { ...process.env, TRIFOLD_PORT: '0', TRIFOLD_KUBE_PORT: '0', TRIFOLD_DATA: data };
    const service = spawn(node, [BIN, 'start'], { cwd: project, env, stdio: 'ignore' });
    onTestFinished(() => void service.kill('SIGKILL'));
    const link = await eventually(async () => {
      const { code, stdout, stderr } = await trifold(`dashboard --data ${data}`, { node });
      expect(code, stderr).toBe(0);
      return stdout;
    });
    const url = await readFile(path.join(data, 'url'), 'utf8');
    expect(link).toContain(`${url}/dashboard/#token=`);
    for (const page of [
      '/docs/',
      '/docs/api/',
      '/docs/api/js/scalar.js',
      '/dashboard/',
      '/v1/openapi.json',
    ]) {
      expect((await fetch(url + page)).status, page).toBe(200);
    }
    const of = (account: string) => `--account ${account} --kubeconfig ${data}/kubeconfig`;
    const created = await trifold(`keys create ${of('default')} --json`, { node });
    const { id, key } = JSON.parse(created.stdout) as { readonly id: string; readonly key: string };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (const format of ['pdf', 'docx']) {
      const body = JSON.stringify({ template: { html: '<h1>{{a}}</h1>' }, data: { a: 1 }, format });
      const response = await fetch(`${url}/v1/generate`, { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ status: 'completed' });
    }
    expect((await trifold(`keys list ${of('default')}`, { node })).stdout).toContain(id);
    expect((await trifold(`keys revoke ${of('default')} --id ${id}`, { node })).code).toBe(0);
    const sealed = await trifold(`webhooks seal ${of('default')} --endpoint orders`, { node });
    expect(JSON.parse(sealed.stdout)).toMatchObject({ spec: { sealedSecret: expect.anything() as unknown } });
    const doctor = await trifold('doctor', {
      node,
      env: { KUBECONFIG: `${data}/kubeconfig`, FORCE_COLOR: '0' },
    });
    expect(doctor.stdout).toMatch(/^ok +browser .* prints a page\nwarning|ok +fonts [^]*ok +kinds /m);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.not.stringContaining('\u001B')]);
    service.kill();
    await eventually(() => expect(service.exitCode).toBe(0));
  });
});

describe('trifold render', () => {
  it.each([
    ['render none.html', 1, 'none.html: error: no such file'],
    ['render open.html', 1, 'open.html:2:1: error: {{#if}} is not closed'],
    ['render invoice.html -d token.json', 1, "token.json:2:8: error: not valid JSON: Unexpected token 'x'"],
    ['render invoice.html -d short.json', 1, 'short.json:1:10: error: not valid JSON: Unexpected end'],
    ['render invoice.html -d list.json', 1, 'list.json: error: must be a JSON object'],
    [
      'render invoice.html --options options.json',
      1,
      'options.json:2:11: error: colour is not a known field',
    ],
    [
      'render invoice.html -d wrong.json --schema schema.json',
      1,
      'wrong.json:2:12: error: total must be a number',
    ],
    ['render invoice.html -d wrong.json --schema schema.json', 1, 'wrong.json:1:1: error: b is required'],
    ['templates diff . --kind -', 2, 'error: no folder here contains template.html'],
    ['templates push .', 2, 'set TRIFOLD_URL'],
    ['render invoice.html -o none/out.pdf', 1, 'none/out.pdf: error: its folder does not exist'],
    ['render invoice.html -o out.gif', 2, 'cannot tell the format from out.gif'],
    ['render invoice.html --format gif', 2, 'Allowed choices are pdf, png'],
    ['render - --data -', 2, 'only one input can be standard input'],
    ['rendr', 2, 'Did you mean render?'],
    ['test', 2, 'name the directory of the templates'],
    ['test none', 1, 'none: error: there are no samples'],
    ['test . --update --against http://127.0.0.1:9', 2, '--update cannot be used with --against'],
    ['test --against http://127.0.0.1:9', 2, 'set TRIFOLD_KEY'],
    ['keys create', 2, 'missing --account'],
  ])('explains the error in %s', async (words, code, message) => {
    expect(await trifold(words)).toEqual({
      code,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    });
  });

  it('names the setting for a missing browser', async () => {
    const missing = await trifold('render invoice.html', { env: { TRIFOLD_BROWSER: '/none' } });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TRIFOLD_BROWSER is /none') as string,
    });
  });

  it.skipIf(TOO_OLD === undefined)('reports a Node version that is too old', async () => {
    const old = await trifold('render invoice.html', { node: TOO_OLD as string });
    expect(old).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^trifold: this is Node 20.*22\.19/) as string,
    });
  });

  it('writes its result as JSON', async () => {
    const { code, stdout } = await trifold('render invoice.html -d invoice.json -o json.pdf --json');
    const findings = [
      { file: 'invoice.html', line: 2 },
      { file: 'invoice.html', line: 3, level: 'warning' },
    ];
    expect(JSON.parse(stdout)).toMatchObject({ output: 'json.pdf', format: 'pdf', pages: 1, findings });
    expect(code).toBe(0);
    const failed = await trifold('render open.html --json');
    expect(JSON.parse(failed.stdout)).toMatchObject({ output: null, findings: [{ line: 2, column: 1 }] });
  });

  it('reads standard input and writes standard output', async () => {
    const { code, stdout, stderr } = await trifold('render - --format html -o -', { input: '<p>{{a}}</p>' });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('<p></p>') as string,
    });
    expect(stderr).toMatch(/^standard input:1:4: warning: .*\n$/);
    const early = `{ "${process.execPath}" ${BIN} render - -f html -o -; echo $? >&2; } | true`;
    expect(await run('sh', ['-c', early], { cwd: project, input: 'a' })).toMatchObject({ stderr: '1\n' });
  });

  it('renders again when an input changes, even after an error', async () => {
    const template = path.join(project, 'watched.html');
    await writeFile(template, 'one');
    const child = spawn(process.execPath, [BIN, 'render', 'watched.html', '--watch', '-f', 'html'], {
      cwd: project,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    for (const [text, result] of [
      ['{{#if}}', 'watched.html:1:1: error'],
      ['three', 'wrote watched.html'],
    ] as const) {
      await eventually(() => expect(said).toContain('wrote'));
      said = '';
      await writeFile(template, text);
      await eventually(() => expect(said).toContain(result));
      said += 'wrote';
    }
    child.kill('SIGINT');
    await eventually(() => expect(child.exitCode).toBe(130));
  });
});

const COMMANDS =
  `render, templates pull, templates push, templates diff, start, test, doctor, completion, dashboard,
  keys create, keys list, keys revoke, webhooks seal`.split(/,\s+/);
it.each(COMMANDS)('The help of trifold %s has examples', async (command) => {
  const { code, stdout } = await trifold(`${command} --help`);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`\nExamples:\n  `)]);
  expect(stdout.split('Examples:')[1]).toContain(`trifold ${command}`);
});

describe('trifold test', () => {
  const drawing = suiteDirectory();

  async function move(folder: string): Promise<void> {
    const file = path.join(folder, 'templates/bill/template.html');
    const html = await readFile(file, 'utf8');
    await writeFile(file, html.replace('<p>', '<p style="margin-top: 2cm">'));
  }

  beforeAll(async () => {
    const canvas = `@napi-rs/canvas@${CANVAS_VERSION}`;
    await execute(drawing, 'npm', 'install', '--prefix', drawing, '--engine-strict=false', TARBALL, canvas);
    for (const folder of [project, drawing]) {
      await mkdir(path.join(folder, 'templates/bill/samples'), { recursive: true });
      await writeFile(path.join(folder, 'templates/bill/template.html'), '<h1>Bill</h1><p>{{total}}</p>');
      await writeFile(path.join(folder, 'templates/bill/samples/one.json'), '{"total": 1}');
    }
  });

  it.each([process.execPath, ...OTHER_NODES])(
    'shows a line that moved, with a canvas, on %s',
    async (node) => {
      const there = { cwd: drawing, node };
      await writeFile(path.join(drawing, 'templates/bill/template.html'), '<h1>Bill</h1><p>{{total}}</p>');
      const missing = await trifold('test templates', { ...there });
      if (node === process.execPath) expect(missing.stdout).toContain('record one with --update');
      expect(await trifold('test templates --update', there)).toMatchObject({ code: 0 });
      expect(await trifold('test templates', there)).toMatchObject({ code: 0, stderr: '' });
      await move(drawing);
      const { code, stdout } = await trifold('test templates --report report.html', there);
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringMatching(
          /one\.json: failed\n {2}page 1: \d+ pixels differ\n1 failed\n$/,
        ) as string,
      });
      expect(await readFile(path.join(drawing, 'report.html'), 'utf8')).toContain('Page 1: Difference');
    },
  );

  it('goes from a pull to a red pull request, as in the tutorial', async () => {
    const folder = testDirectory();
    await symlink(path.join(drawing, 'node_modules'), path.join(folder, 'node_modules'));
    const keys = inventKeys();
    const service = await freshService({ keys });
    const text = await page('docs/tutorials/templates-in-git.md');
    const commands = blocks(text, 'sh').filter((block) => !block.startsWith('npm '));
    const env = { ...process.env, HOME: folder, TRIFOLD_URL: service.url, TRIFOLD_KEY: keys.live };
    const { code, stdout, stderr } = await run('bash', [], { cwd: folder, env, input: commands.join('\n') });
    const results = stdout.split('\n').filter((line) => /^(?:templates\/|\d| {2}page)/.test(line));
    const shown = blocks(text, 'text').filter((block) => block.startsWith('templates/'));
    const [recorded = '', passed = '', failed = ''] = shown;
    const anyPixels = (output: string) => output.replaceAll(/\d+ pixels/g, 'n pixels');
    expect(anyPixels(`${results.join('\n')}\n`), stderr).toBe(
      anyPixels([recorded, passed, failed, recorded, passed].join('')),
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('updated (version 2)') as string,
    });
  });

  it('compares text without a canvas, and says so', async () => {
    expect(await trifold('test templates -u')).toMatchObject({ code: 0, stderr: '' });
    await move(project);
    expect(await trifold('test templates')).toMatchObject({
      code: 0,
      stderr: 'only text, pages and warnings were compared: to compare pixels, install @napi-rs/canvas\n',
    });
    await writeFile(path.join(project, 'templates/bill/samples/one.json'), '{"total": 2}');
    expect(await trifold('test templates')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('page 1: the text differs') as string,
    });
  });
});

describe('The tarball', () => {
  it.each([
    ['publint', '0.3.25', BUILT, '--strict'],
    ['@arethetypeswrong/cli', '0.18.5', TARBALL],
  ])('passes %s', async (tool, version, ...args) => {
    const { code, stdout, stderr } = await run('npx', ['--yes', `${tool}@${version}`, ...args], {
      cwd: project,
    });
    expect(code, stdout + stderr).toBe(0);
  });

  it('installs direct dependencies at their lock file versions and has a complete shrinkwrap file', async () => {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Lock & Locked;
    const { packages: locked } = await read(path.join(REPOSITORY, 'package-lock.json'));
    const { dependencies } = await read(path.join(BUILT, 'package.json'));
    const modules = path.join(project, 'node_modules');
    for (const name of Object.keys(dependencies)) {
      const { version } = await read(path.join(modules, name, 'package.json'));
      expect([name, version]).toEqual([name, locked[`node_modules/${name}`]?.version]);
    }
    expect(await readFile(path.join(BUILT, 'npm-shrinkwrap.json'), 'utf8')).not.toContain('"resolved"');
    // npm reads a package's file only if the registry says so.
    await execute(BUILT, 'npm', 'ci', '--dry-run', '--ignore-scripts', '--engine-strict=false');
  });

  it('does not need the package "node", runs no scripts and takes at most 200 MB with its dependencies', async () => {
    const manifest = JSON.parse(await readFile(path.join(BUILT, 'package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty(['dependencies', 'node']);
    expect(manifest).not.toHaveProperty('scripts');
    const entries = await readdir(path.join(project, 'node_modules'), {
      recursive: true,
      withFileTypes: true,
    });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => (await lstat(path.join(parentPath, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_INSTALLED_BYTES);
  });
});
