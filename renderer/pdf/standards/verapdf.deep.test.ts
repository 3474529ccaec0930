import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFORMANCE_LEVELS, type ConformanceLevel, type KeyMode, type RenderOptions } from '@trifold/crds';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { parse } from 'yaml';
import { sampleData, sampleDocuments } from '../../formats/docx/testing/sample-documents.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { renderDocument, type TestDocument } from '../../testing/render-document.ts';
import { LAYOUT_DATA, LAYOUTS } from '../../testing/sound-layouts.ts';
import { applies, RULES } from './rules.ts';
import { CONFORMING } from './testing/layouts.ts';
import { veraPdf, veraPdfJar } from './testing/verapdf.ts';

const jar = veraPdfJar();
if (jar === undefined) console.warn('skipped: set TRIFOLD_TEST_VERAPDF to the path that .ci/verapdf prints');

const EXAMPLES = new URL('../../../examples/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');
const example = (name: string): TestDocument => {
  const { spec } = parse(read(`${name}.yaml`)) as { spec: TestDocument };
  return { ...spec, data: JSON.parse(read(`${name}/data.json`)) as Record<string, unknown> };
};
const NAMES = ['certificate', 'invoice', 'label', 'letter', 'report', 'sepa-invoice', 'swiss-bill'];
const examples = NAMES.map((name) => [name, example(name)] as const);
const layouts = [
  ...Object.entries(CONFORMING),
  ...Array.from(sampleDocuments(), ([name, sample]) => [name, { ...sample, data: sampleData() }] as const),
  ...Object.entries(LAYOUTS).map(
    ([name, layout]) => [name, { ...(layout as TestDocument), data: LAYOUT_DATA[2] ?? {} }] as const,
  ),
];

/** Files differ between the levels b and u only in one letter: every layout has one of them. */
const PAIRS: readonly (readonly [KeyMode, ConformanceLevel])[] = [
  ['live', 'a-2a'],
  ['live', 'a-3u'],
  ['test', 'a-2u'],
  ['test', 'a-3a'],
];
const MODES = ['live', 'test'] as const;
const attachments = [
  {
    filename: 'Größe.xml',
    mimeType: 'text/xml',
    description: 'ü',
    relationship: 'data',
    bytes: Buffer.from('<a/>'),
  },
  { filename: 'empty', mimeType: 'application/octet-stream', relationship: 'source', bytes: Buffer.alloc(0) },
] as const;

describe.skipIf(jar === undefined && !process.env['CI'])('veraPDF', () => {
  const chromium = testPage();
  const files = new Map<string, Buffer>();
  const render = async (document: TestDocument, conformance: ConformanceLevel, mode: KeyMode = 'live') => {
    const properties: RenderOptions['properties'] = { title: 'Title', language: 'en' };
    const options = {
      ...document.options,
      conformance,
      properties: { ...properties, ...document.options?.properties },
    };
    return renderDocument(chromium.page, { ...document, mode, options });
  };

  const refused: string[] = [];
  const add = async (name: string, document: TestDocument, mode: KeyMode, level: ConformanceLevel) => {
    try {
      files.set(`${name} ${mode} ${level}`, await render(document, level, mode));
    } catch (error) {
      refused.push(`${name} ${mode} ${level}: ${String(error)}`);
    }
  };

  beforeAll(async () => {
    for (const [name, document] of examples) {
      for (const level of CONFORMANCE_LEVELS) {
        for (const mode of MODES) await add(name, document, mode, level);
      }
    }
    for (const [name, document] of layouts) {
      for (const [mode, level] of PAIRS) await add(name, document, mode, level);
    }
    const attaching: TestDocument = { html: 'attachments', features: { attachments } };
    for (const mode of MODES) await add('attachments', attaching, mode, 'a-3a');
  }, 600_000);

  it('accepts every file at the level that it claims', { timeout: 600_000 }, async () => {
    expect(refused).toEqual([]);
    const results = await veraPdf(files);
    expect(results.size).toBe(files.size);
    expect([...results].filter(([, rules]) => rules.length > 0)).toEqual([]);
  });

  it('rejects a file that claims more than it is', { timeout: 120_000 }, async () => {
    const html = '<p>text <a href="https://example.com">link</a> <b>bold</b>';
    const pdf = (await render({ html, features: { attachments } }, 'a-3a')).toString('latin1');
    const mutations: [rule: string, from: RegExp | string, to: string][] = [
      ['6.1.3-1', '/ID [', '/Id ['],
      ['6.2.4.3-2', '/OutputIntents', '/Outputintents'],
      ['6.2.11.4.1-1', '/FontFile2', '/Fontfile2'],
      ['6.2.11.7.2-1', /\/ToUnicode/g, '/Tounicode'],
      ['6.3.2-2', '/F 4', '/F 2'],
      ['6.6.2.1-1', '/Metadata ', '/Metadato '],
      ['6.6.2.1-4', '</pdfaid:part>', '</pdfaid:pard>'],
      ['6.6.4-2', '<pdfaid:part>3', '<pdfaid:part>9'],
      ['6.7.2.2-1', '/Marked true', '/Marked fals'],
      ['6.7.3.3-1', '/StructTreeRoot ', '/Structtreeroot '],
      ['6.8-1', '/Subtype /text#2Fxml', '/SubType /text#2Fxml'],
      ['6.8-2', '/UF (', '/Uf ('],
      ['6.8-3', '/AFRelationship', '/AFrelationship'],
      ['6.8-4', '/AF [', '/Af ['],
    ];
    const mutated = mutations.map(([rule, from, to]) => {
      const changed = pdf.replace(from, to);
      expect(changed, rule).not.toBe(pdf);
      return [rule, Buffer.from(changed, 'latin1')] as const;
    });
    const results = await veraPdf(new Map(mutated), '3a');
    const found = mutations.map(([rule]) => [rule, results.get(rule)?.includes(rule)]);
    expect(found).toEqual(mutations.map(([rule]) => [rule, true]));
  });

  it.each(CONFORMANCE_LEVELS)('tests the rules in RULES at the level %s', (level) => {
    const path = `org/verapdf/pdfa/validation/PDF${level.toUpperCase()}.xml`;
    const profile = readZip(readFileSync(jar ?? '')).find(({ name }) => name === path);
    const tested = Array.from(
      (profile?.bytes.toString() ?? '').matchAll(/clause="([^"]+)" testNumber="(\d+)"/g),
      ([, clause, test]) => `${clause}-${test}`,
    );
    const known = (Object.keys(RULES) as (keyof typeof RULES)[]).filter((rule) => applies(rule, level));
    expect([...new Set(tested)].toSorted()).toEqual(known.toSorted());
  });
});
