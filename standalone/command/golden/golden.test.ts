import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalRenderer } from '../render/local-renderer.ts';
import { testSamples } from './test.ts';

const renderer = new LocalRenderer(process.env);
afterAll(async () => renderer.stop());

let directory: string;
let written: string;
beforeEach(async () => {
  directory = testDirectory();
  await write('note/template.html', '<title>Note</title><p>Dear {{name}}</p><p>{{text}}</p>');
  await write('note/samples/Ann.json', '{"name": "Ann", "text": 12345678901234567890}');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += text as string;
      return true;
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

const at = (name: string) => path.join(directory, name);
async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(at(name)), { recursive: true });
  await writeFile(at(name), text);
}
async function edit(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(at(name), 'utf8');
  expect(text).toContain(from);
  await writeFile(at(name), text.replace(from, to));
}

interface Options {
  readonly update?: boolean;
  readonly junit?: string;
  readonly report?: string;
  readonly json?: boolean;
}
async function test(options: Options = {}): Promise<number> {
  written = '';
  return testSamples({ directory, wanted: [], ...options }, renderer);
}

describe('A sample', () => {
  it('fails until it is recorded, passes while nothing differs, and fails when a line moves', async () => {
    expect(await test()).toBe(1);
    expect(written).toContain(
      `${at('note/samples/Ann.json')}: failed\n  no file is recorded: record one with --update\n`,
    );
    expect(await test({ update: true })).toBe(0);
    expect(written).toMatch(/Ann\.json: recorded\n1 recorded\n$/);
    const recorded = await readFile(at('note/golden/Ann.json'), 'utf8');
    expect(await test()).toBe(0);
    expect(await test({ update: true })).toBe(0);
    expect(written).toMatch(/1 passed\n$/);
    expect(await test({ json: true })).toBe(0);
    expect(JSON.parse(written)).toEqual([
      {
        sample: at('note/samples/Ann.json'),
        outcome: 'passed',
        messages: [],
        seconds: expect.any(Number) as number,
      },
    ]);
    expect(await readFile(at('note/golden/Ann.json'), 'utf8')).toBe(recorded);

    await edit('note/template.html', '<p>{{text}}', '<p style="margin-top: 1cm">{{text}}');
    const reports = { junit: at('junit.xml'), report: at('report.html') };
    expect(await test(reports)).toBe(1);
    expect(written).toMatch(/Ann\.json: failed\n {2}page 1: \d+ pixels differ\n1 failed\n$/);
    expect(await readFile(reports.junit, 'utf8')).toMatch(
      /tests="1" failures="1"[^]*name="Ann"[^]*<failure message="page 1: \d+ pixels differ">/,
    );
    const page = await readFile(reports.report, 'utf8');
    expect(page.match(/<img alt="[^"]*"/g)).toEqual([
      '<img alt="Page 1: Recorded"',
      '<img alt="Page 1: Now"',
      '<img alt="Page 1: Difference"',
    ]);
    expect(await test({ update: true })).toBe(0);
    expect(await test()).toBe(0);
  });

  it('shows text, pages and warnings that differ, and uses the template options', async () => {
    await write('note/options.json', '{"page_size": "a5"}');
    await test({ update: true });
    await edit('note/template.html', '<p>{{text}}</p>', '<p style="break-before: page">Bye {{nobody}}</p>');
    expect(await test()).toBe(1);
    expect(written).toContain(
      '2 pages instead of 1\n  page 1: the text differs\n  @@ -1,2 +1,1 @@\n   Dear Ann\n  -123',
    );
    expect(written).toContain('new warning: The data has no value for nobody. (html)');
    await edit('note/options.json', 'a5', 'letter');
    await test({ update: true });
    await edit('note/options.json', 'letter', 'legal');
    expect(await test()).toBe(1);
  });

  it('whose bytes differ passes if readers see no difference', async () => {
    await test({ update: true });
    await edit('note/template.html', 'Note', 'Another title');
    expect(await test()).toBe(0);
  });

  it.each([
    ['browser', '"browser": "', '"browser": "Other', 3],
    ['architecture', '"architecture": "', '"architecture": "other-', 3],
    ['fonts', '"fonts": [', '"fonts": [ "Other",', 1],
  ])('that differs also reports a different value for %s', async (name, from, to, code) => {
    await test({ update: true });
    await edit('note/golden/Ann.json', from, to);
    expect(await test()).toBe(0);
    await edit('note/template.html', 'Dear', 'Hello');
    expect(await test({ junit: at('junit.xml') })).toBe(code);
    expect(written).toMatch(
      new RegExp(`Ann.json: (?:recorded elsewhere|failed)\n {2}${name}: .*; recorded with .*[Oo]ther`),
    );
    expect(await readFile(at('junit.xml'), 'utf8')).toContain(
      code === 3 ? '<skipped message="recorded elsewhere' : '<failure',
    );
  });

  it('counts as recorded elsewhere if the fonts differ but the template and data do not', async () => {
    const readRecord = async () =>
      JSON.parse(await readFile(at('note/golden/Ann.json'), 'utf8')) as { readonly source: string };
    await test({ update: true });
    const [pdf, record] = [await readFile(at('note/golden/Ann.pdf')), await readRecord()];
    await edit('note/template.html', 'Dear', 'Hello');
    await test({ update: true });
    const { source } = await readRecord();
    await writeFile(at('note/golden/Ann.pdf'), pdf);
    await write('note/golden/Ann.json', JSON.stringify({ ...record, source, fonts: ['Other'] }));
    expect(await test()).toBe(3);
  });

  it('that cannot be printed fails with the location of the error, and the others are still tested', async () => {
    await write('note/samples/Bob.json', '{"name": "Bob"}');
    await write('note/schema.json', '{"fields": [{"name": "text", "type": "number", "required": true}]}');
    expect(await test({ update: true })).toBe(1);
    expect(written).toContain(`Bob.json: failed\n  ${at('note/samples/Bob.json')}: error: `);
    expect(written).toMatch(/1 failed, 1 recorded\n$/);
    await rm(at('note/samples/Ann.json'));
    await rm(at('note/schema.json'));
    expect(await test({ update: true })).toBe(0);
    expect((await readdir(at('note/golden'))).toSorted()).toEqual(['Bob.json', 'Bob.pdf']);
    await write('card/template.html', 'Card');
    await write('card/samples/Ann.json', '{}');
    await rm(at('note/samples/Bob.json'));
    expect(await test({ update: true })).toBe(0);
    expect(await readdir(at('note/golden'))).toEqual([]);
  });
});
