import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { textOf } from '../support/files/pdf.ts';
import { suiteDirectory } from '../support/files/test-directory.ts';
import { run } from '../support/keys-command.ts';
import { inventKeys, REPOSITORY, ServiceProcess } from '../support/service.ts';

const tools = process.env['TRIFOLD_TEST_PYTHON_CLIENT'];
if (!tools)
  console.warn('skipped: set TRIFOLD_TEST_PYTHON_CLIENT to the folder that .ci/python-client prints');
const SOURCES = join(REPOSITORY, 'clients/python');
const { version } = JSON.parse(await page('package.json')) as { version: string };

describe.skipIf(!tools && !process.env['CI'])('The Python client', () => {
  const folder = suiteDirectory();
  const keys = inventKeys();
  const installed = join(folder, 'installed');
  const service = new ServiceProcess({ data: join(folder, 'data'), keys });

  /** Runs a command with the installed wheel. Returns its output. */
  async function python(args: readonly string[], cwd = folder): Promise<string> {
    const env = {
      ...process.env,
      PATH: `${tools}/bin:${process.env['PATH']}`,
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: '1',
      TRIFOLD_URL: service.url,
      TRIFOLD_KEY: keys.live,
    };
    const { code, stdout, stderr } = await run(`${tools}/bin/python`, args, { cwd, env });
    expect(code, `${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  }

  beforeAll(async () => {
    await service.ready();
    await python(['-m', 'build', '--no-isolation', '--outdir', folder, SOURCES]);
    const wheel = join(folder, `trifold-${version}-py3-none-any.whl`);
    await python([
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-index',
      '--no-deps',
      '--target',
      installed,
      wheel,
    ]);
  });
  afterAll(() => service.stop());

  it("has a wheel with types and the repository's license and version", async () => {
    const metadata = join(installed, `trifold-${version}.dist-info`);
    const license = await readFile(join(metadata, 'licenses/LICENSE'), 'utf8');
    expect(license).toBe(await page('LICENSE'));
    const files = await readFile(join(metadata, 'RECORD'), 'utf8');
    expect(files).toContain('trifold/py.typed');
    expect(files).not.toMatch(/test|generate/);
  });

  it('is well-formed and has correct types on the oldest supported version', async () => {
    await python(['-m', 'ruff', 'format', '--no-cache', '--check', '.'], SOURCES);
    await python(['-m', 'ruff', 'check', '--no-cache', '.'], SOURCES);
    const mypy = ['-m', 'mypy', '--cache-dir', join(folder, 'mypy'), '--config-file', 'pyproject.toml'];
    await python([...mypy, 'trifold', 'tests'], SOURCES);
    const examples = blocks(await page('clients/python/README.md'), 'python');
    const files = examples.map((_, index) => join(folder, `example${index}.py`));
    await Promise.all(files.map((file, index) => writeFile(file, String(examples[index]))));
    await python([...mypy, ...files], SOURCES);
  });

  it('passes its tests with a service', async () => {
    const output = await python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(SOURCES, 'tests')]);
    expect(output).toMatch(/ passed in /);
  });

  it('runs the examples of its README', async () => {
    const examples = blocks(await page('clients/python/README.md'), 'python');
    const outputs = [];
    for (const example of examples) outputs.push(await python(['-W', 'error', '-c', example]));
    expect(outputs).toEqual([
      '',
      'completed\nnow.pdf application/pdf\nTrue\n',
      expect.stringMatching(/^([0-3] of 3\n)*3 of 3\n$/),
      '3\n',
      'Template not found.\n',
      'True\n',
      '',
    ]);
    expect(await textOf(await readFile(join(folder, 'hello.pdf')))).toBe('Hello World');
    expect((await readFile(join(folder, 'badges.zip'))).subarray(0, 2).toString()).toBe('PK');
  });

  it('runs the programs of the Python tutorial', async () => {
    const programs = blocks(await page('docs/tutorials/python.md'), 'python');
    const outputs = [];
    for (const program of programs) outputs.push(await python(['-W', 'error', '-c', program]));
    expect(outputs).toEqual([
      'hello.pdf completed\n',
      'letter.pdf application/pdf\ndata_invalid /data/ends\n',
    ]);
    expect(await textOf(await readFile(join(folder, 'letter.pdf')))).toContain('June 30, 2027');
  });
});
