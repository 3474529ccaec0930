import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unifiedDiff } from './line-diff.ts';
import { diff, pull, push } from './templates.ts';

const EXAMPLES = path.join(import.meta.dirname, '../../../examples');
const resource = (name: string, spec: string, annotations = '{}') => `---
apiVersion: trifold.dev/v1alpha1
kind: Template
metadata: { name: ${name}, labels: { team: billing }, annotations: ${annotations} }
spec: ${spec}
`;
const SAMPLES = `{ trifold.dev/samples: '[{"name":"../../x","data":{"n":12345678901234567890,"b":1,"a":[1.50]}},{"name":"CON","data":{}}]' }`;
const STRANGE = `apiVersion: v1
kind: ConfigMap
metadata: { name: other }
${resource('evil', '{ displayName: ../../etc/passwd, html: "a\\r\\nb \\n\\n", email: { subject: s } }', SAMPLES)}
${resource('con', '{ displayName: NUL, state: draft, html: x, css: y }')}
${resource('bill', '{ displayName: Bill, html: x, eInvoice: { format: xml, profile: basic, syntax: cii, mapping: { BT-1 invoice number: "{{n}}" } } }')}
${resource('tea', '{ displayName: 茶, html: x, defaultOptions: { margins: { top: 1mm } } }')}
`;

let directory: string;
let written: string;
beforeEach(() => {
  directory = testDirectory();
  written = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += text as string;
      return true;
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

const at = (...names: string[]) => path.join(directory, ...names);
const command = (folders: string, kind: string, ...wanted: string[]) => ({
  directory: at(folders),
  kind: at(kind),
  wanted,
});
const filesIn = async (folder: string) => {
  const entries = await readdir(at(folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(at(folder), file), await readFile(file, 'utf8')] as const),
    ),
  );
};

describe('Templates in a YAML file', () => {
  it('are unchanged after being pulled, pushed to another file and pulled again', async () => {
    const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.yaml'));
    const examples = await Promise.all(
      names.map(async (name) => readFile(path.join(EXAMPLES, name), 'utf8')),
    );
    await writeFile(at('all.yaml'), [...examples, STRANGE].join('\n---\n'));
    expect(await pull(command('one', 'all.yaml'))).toBe(0);
    expect(await diff(command('one', 'all.yaml'))).toBe(0);
    expect(await push(command('one', 'copy.yaml'))).toBe(0);
    expect(await pull(command('two', 'copy.yaml'))).toBe(0);
    const files = await filesIn('one');
    expect(await filesIn('two')).toEqual(files);
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'etc-passwd/samples/%2E.%2F..%2Fx.json',
        'etc-passwd/samples/%43ON.json',
        'nul-con/style.css',
        'bill/e-invoice.json',
        'tea/options.json',
      ]),
    );
    expect(files.get('etc-passwd/template.html')).toBe('a\r\nb \n\n');
    expect(files.get('etc-passwd/samples/%2E.%2F..%2Fx.json')).toContain('"n": 12345678901234567890,\n  "b"');
  });

  it('are changed only where folders differ, and only without --dry-run', async () => {
    await writeFile(at('all.yaml'), STRANGE);
    await pull(command('one', 'all.yaml'));
    written = '';
    expect(await push(command('one', 'all.yaml'))).toBe(0);
    expect(written).toMatch(/^(.*: unchanged\n){4}$/);
    expect(await readFile(at('all.yaml'), 'utf8')).toBe(STRANGE);

    await writeFile(at('one/tea/template.html'), 'x\ny\n');
    await writeFile(at('one/tea/options.json'), '{ "margins": { "top": "1mm" } }');
    const wanted = command('one', 'all.yaml', '茶', 'nul-con');
    written = '';
    expect(await push({ ...wanted, dryRun: true })).toBe(0);
    expect(await readFile(at('all.yaml'), 'utf8')).toBe(STRANGE);
    expect(await diff(wanted)).toBe(1);
    expect(written).toBe(
      `${at('one/nul-con')}: unchanged\n${at('one/tea')}: would be updated\n` +
        `--- ${at('all.yaml')}/tea/template.html\n+++ ${at('one/tea/template.html')}\n@@ -1,1 +1,2 @@\n` +
        '-x\n\\ No newline at end of file\n+x\n+y\n',
    );
    expect(await push(wanted)).toBe(0);
    expect(await diff(wanted)).toBe(0);
    expect(await readFile(at('all.yaml'), 'utf8')).toMatch(
      /ConfigMap[^]*name: tea\n {2}labels:\n {4}team: billing/,
    );
    await pull(command('two', 'all.yaml', 'tea'));
    expect([...(await filesIn('two')).keys()].toSorted()).toEqual([
      'tea/options.json',
      'tea/template.html',
      'tea/template.json',
    ]);
  });

  it('replace all template files, and no other files, when they are pulled', async () => {
    await writeFile(at('all.yaml'), resource('a', '{ displayName: A, html: x }'));
    await mkdir(at('one/a/samples'), { recursive: true });
    for (const name of ['template.html', 'style.css', 'samples/old.json', 'README.md']) {
      await writeFile(at('one/a', name), '{}');
    }
    await writeFile(at('one/a/template.json'), '{"name": "A"}');
    expect(await pull(command('one', 'all.yaml'))).toBe(0);
    expect([...(await filesIn('one')).keys()].toSorted()).toEqual([
      'a/README.md',
      'a/template.html',
      'a/template.json',
    ]);
  });
});

describe('An error', () => {
  it.each([
    [
      'a manifest',
      { 'a/template.json': '{\n"name": 1}' },
      'a/template.json:2:9: error: name must be a string',
    ],
    [
      'a schema',
      { 'a/schema.json': '{"fields": [{"name": "a"}]}' },
      'a/schema.json:1:13: error: fields/0/type is required',
    ],
    ['options', { 'a/options.json': '{"page_size": "custom"}' }, 'a/options.json: error: width'],
    ['samples', { 'a/samples/x.json': '[]' }, 'a/samples/x.json: error: must be a JSON object'],
    ['two equal samples', { 'a/samples/x.json': '{}', 'a/samples/X.json': '{}' }, 'a: error: the samples '],
    [
      'a copied folder',
      {
        'a/template.json': '{"name": "A", "id": "a"}',
        'b/template.html': '',
        'b/template.json': '{"name": "B", "id": "a"}',
      },
      'b: error: "id" is already used in a',
    ],
    ['YAML', { '../all.yaml': 'a: [' }, 'all.yaml:1:5: error: not valid YAML'],
    [
      'a resource',
      { '../all.yaml': resource('x', '{ html: x }') },
      'all.yaml: error: Template x: spec/displayName is required',
    ],
    [
      'a resource in the object store',
      {
        '../all.yaml': resource(
          'a',
          `{ displayName: a, sourceRef: { key: k, sha256: "${'0'.repeat(64)}", size: 1 } }`,
        ),
      },
      'the HTML of a cannot be read from the object store',
    ],
    [
      'two resources with one name',
      {
        '../all.yaml':
          resource('b', '{ displayName: a, html: x }') + resource('c', '{ displayName: a, html: x }'),
      },
      'a: error: several templates are named a: set "id" in template.json to one of b, c',
    ],
  ])('in %s is explained', async (_what, files, message) => {
    await mkdir(at('one/a/samples'), { recursive: true });
    await mkdir(at('one/b'));
    await writeFile(at('all.yaml'), '');
    for (const [name, text] of Object.entries({ 'a/template.html': 'x', ...files })) {
      await writeFile(at('one', name), text);
    }
    expect(await diff(command('one', 'all.yaml'))).toBe(2);
    expect(written).toContain(message);
  });

  it.each([
    ['茶', undefined, '"" cannot be the name of a resource'],
    ['A', '../a', '"../a" cannot be the name of a resource'],
    ['Tea!', undefined, '"tea" is the name of another resource'],
    ['B', 'b', '/none/out.yaml: error: its folder does not exist', 'none/out.yaml'],
  ])('prevents a resource for %s with the ID %s', async (name, id, message, kind = 'all.yaml') => {
    await writeFile(at('all.yaml'), resource('tea', '{ displayName: Tea, html: x }'));
    await mkdir(at('one/a'), { recursive: true });
    await writeFile(at('one/a/template.html'), '');
    await writeFile(at('one/a/template.json'), JSON.stringify({ name, id }));
    expect(await push(command('one', kind))).toBe(1);
    expect(written).toContain(message);
  });

  it.each([
    ['/proc/self/none', '/proc/self/none/a: error: no folder can be created here'],
    ['all.yaml', 'all.yaml: error: not a folder'],
    ['one', 'one/a: error: not a folder'],
  ])('in the folder %s is explained', async (folder, message) => {
    await writeFile(at('all.yaml'), resource('a', '{ displayName: A, html: x }'));
    await mkdir(at('one'));
    await writeFile(at('one/a'), '');
    const pulled = await pull({ ...command('one', 'all.yaml'), directory: path.resolve(directory, folder) });
    expect([pulled, written]).toEqual([1, expect.stringContaining(message)]);
  });

  it('prevents a write through a symbolic link', async () => {
    await writeFile(at('all.yaml'), resource('a', '{ displayName: A, html: x }', SAMPLES));
    await mkdir(at('one/a'), { recursive: true });
    await writeFile(at('one/a/template.html'), '');
    await writeFile(at('one/a/template.json'), '{"name": "A"}');
    await symlink(directory, at('one/a/samples'));
    expect(await pull(command('one', 'all.yaml'))).toBe(1);
    expect(written).toContain('a/samples: error: symbolic links are not supported');
  });
});

it.each([
  ['a\nb\nc\n', 'a\nB\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
  ['1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\n5\n6\n7\n8\n', '@@ -6,4 +6,3 @@\n 6\n 7\n 8\n-9\n'],
  [
    'x\n1\n2\n3\n4\n5\n6\n7\n8\n',
    '1\n2\n3\n4\n5\n6\n7\n8\ny\n',
    '@@ -1,4 +1,3 @@\n-x\n 1\n 2\n 3\n@@ -7,3 +6,4 @@\n 6\n 7\n 8\n+y\n',
  ],
  ['', 'a', '@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n'],
  ['a\n', 'a\n', ''],
])('The difference between %j and %j is a unified diff', (before, after, expected) => {
  const text = unifiedDiff(['old', 'new'], before, after);
  expect(text).toBe(expected && `--- old\n+++ new\n${expected}`);
});
