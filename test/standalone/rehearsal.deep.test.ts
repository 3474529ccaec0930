import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suiteDirectory } from '../support/files/test-directory.ts';
import { run } from '../support/keys-command.ts';
import { inventKeys, REPOSITORY, ServiceProcess } from '../support/service.ts';

/** `.ci/run` sets it in its last step, which has two browsers. */
const OTHER_BROWSER = process.env['TRIFOLD_TEST_OTHER_BROWSER'];
/** The bundled browser includes this font; other browsers use the machine's fonts. */
const FONT_SAMPLE = '<p style="font-family: \'Open Sans\', serif">Hello {{name}}</p>';

describe.skipIf(OTHER_BROWSER === undefined)('With the bundled browser and another one', () => {
  const folder = suiteDirectory();
  const keys = inventKeys();
  let service: ServiceProcess;

  async function trifold(words: string, browser = 'bundled', key = keys.live) {
    const env = { ...process.env, TRIFOLD_BROWSER: browser, TRIFOLD_URL: service.url, TRIFOLD_KEY: key };
    const bin = join(REPOSITORY, 'standalone/command/bin.cjs');
    return run(process.execPath, [bin, ...words.split(' ')], { cwd: folder, env });
  }

  /** Writes each example as a folder, with its data as a sample, and the template whose font differs. */
  beforeAll(async () => {
    const environment = { TRIFOLD_BROWSER: 'bundled' };
    service = await new ServiceProcess({ data: join(folder, 'data'), keys, environment }).ready();
    const examples = join(REPOSITORY, 'examples');
    const files = (await readdir(examples)).filter((name) => name.endsWith('.yaml'));
    const resources = await Promise.all(files.map((name) => readFile(join(examples, name), 'utf8')));
    await writeFile(join(folder, 'examples.yaml'), resources.join('\n---\n'));
    expect(await trifold('templates pull templates --kind examples.yaml')).toMatchObject({ code: 0 });
    for (const name of await readdir(join(folder, 'templates'))) {
      const target = join(folder, 'templates', name);
      const { id, ...manifest } = JSON.parse(await readFile(join(target, 'template.json'), 'utf8')) as {
        id: string;
      };
      await mkdir(join(target, 'samples'));
      await cp(join(examples, id, 'data.json'), join(target, 'samples/example.json'));
      await writeFile(join(target, 'template.json'), JSON.stringify(manifest));
    }
    await mkdir(join(folder, 'templates/font/samples'), { recursive: true });
    await writeFile(join(folder, 'templates/font/template.html'), FONT_SAMPLE);
    await writeFile(join(folder, 'templates/font/samples/Ann.json'), '{"name": "Ann"}');
    const pushed = await trifold('templates push templates');
    expect(pushed.code, pushed.stderr).toBe(0);
  });
  afterAll(async () => service.stop());

  it('a rehearsal with the same browser finds no difference, even in watermarked documents', async () => {
    const { code, stdout, stderr } = await trifold(`test --against ${service.url}`, 'bundled', keys.test);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/\n10 passed\n$/);
  });

  it('a rehearsal with the other browser reports a template whose font differs', async () => {
    const words = `test --against ${service.url} --report report.html`;
    const { code, stdout, stderr } = await trifold(words, OTHER_BROWSER);
    expect(code, stdout + stderr).toBe(1);
    expect(stdout).toMatch(
      /font \(tpl-[^ ]+, version 1\), sample Ann: failed\n {2}page 1: \d+ pixels differ\n/,
    );
    // The machine's fonts decide which examples differ.
    expect(stdout).toMatch(/\n(?:\d+ passed, )?\d+ failed\n$/);
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('Page 1: This build');
  });

  it('a rehearsal also prints templates that the service does not have', async () => {
    const { code, stdout, stderr } = await trifold(`test templates letter --against ${service.url}`);
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: 'templates/letter/samples/example.json: passed\n1 passed\n',
    });
  });

  it('files that the bundled browser recorded count as recorded elsewhere if they differ', async () => {
    expect(await trifold('test templates font letter --update')).toMatchObject({ code: 0 });
    const { code, stdout } = await trifold('test templates font letter', OTHER_BROWSER);
    expect(code, stdout).toBe(3);
    expect(stdout).toMatch(
      /Ann\.json: recorded elsewhere\n {2}browser: HeadlessChrome\/[\d.]+; recorded with Headless/,
    );
    expect(stdout).toMatch(/\n1 passed, 1 recorded elsewhere\n$/);
  });
});
