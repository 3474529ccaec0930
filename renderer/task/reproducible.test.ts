import type { RenderOptions } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../browser/process/browser.ts';
import { drawPdf } from '../testing/files/pdf-picture.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { CREATED_AT, renderDocument, type TestDocument } from '../testing/render-document.ts';
import { launchTestBrowser, openPage, sharedBrowser } from '../testing/browser/test-browser.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

let browser: Browser;
let another: Browser;
const firsts = new Map<TestDocument, Buffer>();
beforeAll(async () => {
  [browser, another] = await Promise.all([sharedBrowser(), launchTestBrowser()]);
  for (const [, document] of DOCUMENTS) firsts.set(document, await render(document));
  await nextSecond();
});
afterAll(() => another.stop());

/** Dates of the info dictionary and of XMP, and the file identifier. */
const VARYING = /\(D:\d{14}\+00'00'\)|(?<=<xmp:\w+Date>)[^<]*|(?<=\/ID )\[[^\]]*\]/g;
const LATER = new Date('2027-01-02T03:04:05Z');

/** Text in several fonts, a table across pages, an image, a drawing, links. */
const DOCUMENT: TestDocument = {
  html: `<title>Report</title><h1>Größe <i>Ωμέγα</i> <b>Жук</b> שלום</h1>
    <a href="https://example.com/{{n}}">link</a><svg width="50" height="50"><circle cx="25" cy="25" r="20" fill="url(#g)"/>
    <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></svg>
    <img width="9" alt="dot" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">
    <table><thead><tr><th>Head</th></tr></thead>{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>`,
  css: 'h1 { opacity: .5 } td { border: 1px solid; box-shadow: 1px 1px 3px #888 } th { font-family: serif }',
  data: { n: 7, rows: Array.from({ length: 120 }, (_, index) => `Row ${index}`) },
  features: { title: 'Fallback', template: 'tpl-1', version: '3' },
};

const BANDS: TestDocument = {
  ...DOCUMENT,
  options: {
    header: { enabled: true, content: '<b>{{n}}</b>' },
    footer: { enabled: true, content: '{{page}} of {{pages}}' },
  },
};

/** Renders on a new page of the given browser, after other documents have used the page. */
async function render(document: TestDocument, on = browser, before = 0): Promise<Buffer> {
  const page = await openPage(on);
  for (let count = 0; count < before; count += 1) {
    await renderDocument(page, { html: `<p style="font-family: serif">another ${count} Ж<title>x</title>` });
  }
  const file = await renderDocument(page, document);
  await page.close();
  return file;
}

const withOptions = (options: RenderOptions): TestDocument => ({
  ...BANDS,
  options: { ...BANDS.options, ...options },
});
const archival: RenderOptions = { conformance: 'a-3a', properties: { language: 'en' } };
const attachments = [
  { filename: 'a.txt', mimeType: 'text/plain', relationship: 'data', bytes: Buffer.from('a') },
] as const;

/** With the number of parts that vary: a file that is not rewritten has both the browser's dates and the final ones. */
const DOCUMENTS: [string, TestDocument, number][] = [
  ['a document', DOCUMENT, 4],
  ['a document with a header and a footer', BANDS, 4],
  ['a document of a test key', { ...BANDS, mode: 'test' }, 2],
  ['a tagged document', withOptions({ tagged: true }), 4],
  ['an accessible document', withOptions({ ...archival, conformance: 'a-3a+ua-1' }), 5],
  [
    'a document for archives with an attachment',
    { ...withOptions(archival), features: { ...DOCUMENT.features, attachments } },
    6,
  ],
  ['a document without a title', { ...DOCUMENT, html: '<p>text' }, 4],
];

describe.each(DOCUMENTS)('%s', (_what, document, varying) => {
  it('is byte-identical when its job renders again', async () => {
    const first = firsts.get(document) ?? expect.fail();
    expect((await render(document)).equals(first)).toBe(true);
    expect((await render(document, browser, 3)).equals(first)).toBe(true);
    expect((await render(document, another)).equals(first)).toBe(true);
    expect((await render(document, another, 2)).equals(first)).toBe(true);
  });

  it('differs between two jobs only in its dates and its identifier', async () => {
    const first = firsts.get(document) ?? expect.fail();
    const features = { ...document.features, createdAt: LATER };
    const second = await render({ ...document, features });
    expect(second.equals(first)).toBe(false);
    const common = (file: Buffer) => file.toString('latin1').replaceAll(VARYING, '');
    expect(common(second)).toBe(common(first));
    expect(first.toString('latin1').match(VARYING)).toHaveLength(varying);
    const date = "D:20270102030405+00'00'";
    expect((await readPdf(second)).info).toMatchObject({ CreationDate: date, ModDate: date });
  });
});

/** Waits until the clock that the browser records has advanced. */
async function nextSecond(): Promise<void> {
  const started = Math.floor(Date.now() / 1000);
  await eventually(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(started), { timeoutMs: 5000 });
}

describe('the metadata in the file', () => {
  const infoOf = async (document: TestDocument) => (await readPdf(await render(document))).info;

  it('contains the title, the template with its version, the producer and the dates', async () => {
    expect(CREATED_AT.toISOString()).toBe('2026-11-20T01:02:03.456Z');
    expect(await infoOf(DOCUMENT)).toMatchObject({
      Title: 'Report',
      Producer: 'Trifold',
      Creator: 'Trifold',
      CreationDate: "D:20261120010203+00'00'",
      ModDate: "D:20261120010203+00'00'",
      Custom: new Map([
        ['TrifoldTemplate', 'tpl-1'],
        ['TrifoldVersion', '3'],
      ]),
    });
  });

  it.each(['Invoice', 'Größe (€) \\', '請求書 🦄', ')(', '\\'])(
    'has the template name as title if the HTML has no title: %j',
    async (title) => {
      expect(await infoOf({ html: '<p>x', features: { title } })).toMatchObject({ Title: title });
      expect(await infoOf({ html: '<title></title><p>x', features: { title } })).toMatchObject({
        Title: title,
      });
    },
  );

  it('does not change the visible content', async () => {
    const [first] = await drawPdf(await render(DOCUMENT), { page: 1 });
    const [second] = await drawPdf(await render({ ...DOCUMENT, features: {} }), { page: 1 });
    expect(Buffer.from(second?.pixels ?? []).equals(Buffer.from(first?.pixels ?? []))).toBe(true);
  });
});
