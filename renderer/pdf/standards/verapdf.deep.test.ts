import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CONFORMANCE_LEVELS,
  type ConformanceLevel,
  type EInvoiceProfile,
  type KeyMode,
  type RenderOptions,
} from '@trifold/crds';
import { eInvoiceAttachment } from '@trifold/platform/records/documents/e-invoice-attachment.ts';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { parse } from 'yaml';
import { sampleData, sampleDocuments } from '../../formats/docx/testing/sample-documents.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { renderDocument, type TestDocument } from '../../testing/render-document.ts';
import { streamOf } from '../../testing/files/handmade-pdf.ts';
import { pngPixel } from '../../testing/files/png.ts';
import { LAYOUT_DATA, LAYOUTS } from '../../testing/sound-layouts.ts';
import { runInSlices } from '../../time-slices.ts';
import { inflatedStream } from '../file/inflated-stream.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { referenceIn } from '../file/pdf-syntax.ts';
import { PdfUpdate } from '../file/pdf-update.ts';
import { isAccessible } from './level.ts';
import { applies, type RuleName } from './rule-at-level.ts';
import { RULES } from './rules.ts';
import { UA_RULES } from './ua-rules.ts';
import { CONFORMING, INACCESSIBLE } from './testing/layouts.ts';
import { veraPdf, veraPdfJar } from './testing/verapdf.ts';

const jar = veraPdfJar();
if (jar === undefined) console.warn('skipped: set TRIFOLD_TEST_VERAPDF to the path that .ci/verapdf prints');

const image = `data:image/png;base64,${pngPixel()}`;
const EXAMPLES = new URL('../../../examples/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');
const example = (name: string): TestDocument => {
  const { spec } = parse(read(`${name}.yaml`)) as { spec: TestDocument };
  return { ...spec, data: JSON.parse(read(`${name}/data.json`)) as Record<string, unknown> };
};
const NAMES = readdirSync(EXAMPLES).flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []);
const examples = NAMES.map((name) => [name, example(name)] as const);
const layouts = [
  ...Object.entries(CONFORMING),
  ...Array.from(sampleDocuments(), ([name, sample]) => [name, { ...sample, data: sampleData() }] as const),
  ...Object.entries(LAYOUTS).map(
    ([name, layout]) => [name, { ...(layout as TestDocument), data: LAYOUT_DATA[2] ?? {} }] as const,
  ),
];

/** Returns a document without authors' usual mistakes: images without a description, and skipped heading levels. */
const described = ({ html, ...document }: TestDocument): TestDocument => ({
  ...document,
  html: html.replaceAll(/<img (?![^>]*\balt\b)/g, '<img alt="a" ').replaceAll(/(<\/?)h[2-6]\b/g, '$1h1'),
});

/** Files of levels b and u differ only in one letter, so every layout has one of the two levels. */
const PAIRS: readonly (readonly [KeyMode, ConformanceLevel])[] = [
  ['live', 'a-2a'],
  ['live', 'a-3u'],
  ['test', 'a-2u'],
  ['test', 'a-3a'],
  ['live', 'ua-1'],
  ['test', 'a-2a+ua-1'],
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

const FACTUR_X_LEVELS = CONFORMANCE_LEVELS.filter((level) => level.startsWith('a-3'));
const invoice = (profile: EInvoiceProfile) => eInvoiceAttachment(profile, { xml: Buffer.from('<a/>') });

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

  const refused: [file: string, reason: string][] = [];
  const add = async (name: string, document: TestDocument, mode: KeyMode, level: ConformanceLevel) => {
    try {
      files.set(`${name} ${mode} ${level}`, await render(document, level, mode));
    } catch (error) {
      refused.push([`${name} ${mode} ${level}`, String(error)]);
    }
  };

  beforeAll(async () => {
    for (const [name, document] of examples) {
      for (const level of CONFORMANCE_LEVELS) {
        for (const mode of MODES) await add(name, document, mode, level);
      }
    }
    for (const [name, document] of layouts) {
      for (const [mode, level] of PAIRS) {
        await add(name, isAccessible(level) ? described(document) : document, mode, level);
      }
    }
    const attaching: TestDocument = { html: 'attachments', features: { attachments } };
    for (const mode of MODES) await add('attachments', attaching, mode, 'a-3a');
    for (const profile of ['basic', 'en16931', 'xrechnung'] as const) {
      const invoicing = { html: profile, features: { attachments: [invoice(profile)] } };
      for (const mode of MODES) {
        for (const level of FACTUR_X_LEVELS) await add(profile, invoicing, mode, level);
      }
    }
  }, 600_000);

  it('accepts every file at the level that it claims', { timeout: 600_000 }, async () => {
    const inaccessible = PAIRS.filter(([, level]) => isAccessible(level)).flatMap(([mode, level]) =>
      Object.entries(INACCESSIBLE).map(([name, reason]) => [
        `${name} ${mode} ${level}`,
        expect.stringMatching(reason),
      ]),
    );
    expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(inaccessible));
    const accessible = new Map([...files].filter(([name]) => name.endsWith('ua-1')));
    const archives = new Map([...files].filter(([name]) => !name.endsWith(' ua-1')));
    for (const [claims, flavour] of [
      [archives, '0'],
      [accessible, 'ua1'],
    ] as const) {
      const results = await veraPdf(claims, flavour);
      expect(results.size).toBe(claims.size);
      expect([...results].filter(([, rules]) => rules.length > 0)).toEqual([]);
    }
  });

  it('rejects a file that claims a level that it does not meet', { timeout: 120_000 }, async () => {
    const html = '<p>text <a href="https://example.com">link</a> <b>bold</b>';
    const features = { attachments: [...attachments, invoice('en16931')] };
    const pdf = (await render({ html, features }, 'a-3a')).toString('latin1');
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
      ['6.6.2.3.1-1', '<pdfaProperty:name>Version', '<pdfaProperty:name>Wersion'],
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

  it('rejects a file that claims to be accessible but is not', { timeout: 120_000 }, async () => {
    const html = `<h1>a</h1><div style="background: red; height: 9px"></div><ul><li>b<p>c</ul><a href="https://example.com">d</a>
      <img src="${image}" alt="e">`;
    const pdf = (await render({ html }, 'ua-1')).toString('latin1');
    const mutations: [rule: string, from: RegExp | string, to: string][] = [
      ['5-2', '<pdfuaid:part>1', '<pdfuaid:part>9'],
      ['7.1-10', 'DisplayDocTitle true', 'DisplayDocTitle fals'],
      ['7.2-20', '/LBody', '/Quote'],
      ['7.2-34', /\/Lang/g, '/Long'],
      ['7.3-1', '/Alt ', '/Ult '],
      ['7.18.3-1', '/Tabs /S', '/Tabs /R'],
      ['7.18.5-2', '/Contents (', '/Contentt ('],
    ];
    const mutated = mutations.map(([rule, from, to]) => {
      const changed = pdf.replace(from, to);
      expect(changed, rule).not.toBe(pdf);
      return [rule, Buffer.from(changed, 'latin1')] as const;
    });
    const results = await veraPdf(new Map([...mutated, ['7.1-3', await unmarked(pdf)]]), 'ua1');
    const rules = [...mutations.map(([rule]) => rule), '7.1-3'];
    expect(rules.filter((rule) => !results.get(rule)?.includes(rule))).toEqual([]);
  });

  it.each(CONFORMANCE_LEVELS)('tests the rules in RULES at the level %s', (level) => {
    const files = readZip(readFileSync(jar ?? ''));
    const tested = level.split('+').flatMap((part) => {
      const path = `org/verapdf/pdfa/validation/PDF${part.toUpperCase()}.xml`;
      const profile = files.find(({ name }) => name === path)?.bytes.toString() ?? '';
      return Array.from(
        profile.matchAll(/clause="([^"]+)" testNumber="(\d+)"/g),
        ([, clause, test]) => `${clause}-${test}`,
      );
    });
    const known = (Object.keys({ ...RULES, ...UA_RULES }) as RuleName[]).filter((rule) =>
      applies(rule, level),
    );
    expect([...new Set(tested)].toSorted()).toEqual(known.toSorted());
  });
});

/** Returns a file whose first page has content that is no longer an artifact. */
async function unmarked(pdf: string): Promise<Buffer> {
  const file = new PdfFile(Buffer.from(pdf, 'latin1'));
  const update = new PdfUpdate(file);
  const [page] = file.pages();
  const contents = page?.entries.get('Contents') ?? expect.fail();
  const stream = file.stream(contents) ?? expect.fail();
  let content = '';
  for await (const chunk of inflatedStream(file, stream)) content += chunk.toString('latin1');
  expect(content).toContain('/Artifact BMC');
  const changed = streamOf(content.replaceAll('/Artifact BMC', '/Span BMC'));
  update.replace(referenceIn(file.bytes, contents) ?? expect.fail(), changed);
  return runInSlices(update.rewritten());
}
