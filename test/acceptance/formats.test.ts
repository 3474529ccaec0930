import { DocxFile } from '@trifold/renderer/testing/files/read-docx.ts';
import { codeIn } from '@trifold/renderer/testing/files/read-code.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { page } from '../docs/pages.ts';
import { attachmentsIn, openPdf, readPdf } from '../support/files/pdf.ts';
import { live, test, typescriptClient } from './service-under-test.ts';

const FORMATS = [
  ['pdf', 'application/pdf', '%PDF-'],
  ['png', 'image/png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', 'image/jpeg', '\xff\xd8\xff'],
  ['webp', 'image/webp', 'RIFF'],
  ['html', 'text/html; charset=utf-8', '<!doctype html>'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'],
] as const;

let template: string;
beforeAll(async () => {
  const html =
    '<!doctype html><html><head><title>Hi</title></head><body><h1>Hello {{name}}</h1></body></html>';
  template = (await live.createTemplate({ html })).id;
});
const data = { name: 'Ada' };
const client = typescriptClient(live);

const SEPA_PAYMENT =
  'BCD|002|1|SCT|COBADEFFXXX|Studio Lindgrün GmbH|DE89370400440532013000|EUR4792.13||RF0320260117';
const SWISS_PAYMENT = [
  'SPC|0200|1|CH4431999123000889012|S|Velowerkstatt Seeufer AG|Rue du Lac|12|2501|Biel|CH',
  '||||||',
  '940.36|CHF',
  'S|Noémie Rutschmann|Grosse Marktgasse|28|9400|Rorschach|CH',
  'QRR|210000000003139471430009017|2026-1148|EPD',
].join('|');

describe.each(FORMATS)('A document as %s', (format, contentType, magic) => {
  const extension = format === 'jpeg' ? 'jpg' : format;

  it('has the right content type, file name and first bytes, and is streamed to clients that accept it', async () => {
    const { file_url, file_size } = await live.generate(template, data, { format, filename: 'Größe' });
    const file = await live.get(file_url as string);
    expect(file.headers.get('content-type')).toBe(contentType);
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(String.raw`^attachment;.*Gr%C3%B6%C3%9Fe\.${extension}$`),
    );
    expect(file.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
    expect(file.bytes).toHaveLength(file_size as number);
    const accept = contentType.replace(/;.*/, '');
    const streamed = await live.post('/v1/generate', { template_id: template, data, format }, { accept });
    expect(streamed.headers.get('content-type')).toBe(contentType);
    expect(streamed.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
  });

  it('is returned for every batch item', async () => {
    const { batches } = client;
    const { id } = await batches.create({ template_id: template, format, items: [{ data }, { data }] });
    expect(await batches.wait(id)).toMatchObject({ status: 'completed', format, completed: 2 });
    const item = await batches.downloadItem(id, 1);
    expect(item).toMatchObject({ contentType, filename: `${id}-1.${extension}` });
  });
});

it('Attachments come back byte for byte from a document and a batch item', async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => (index * index) % 251));
  const attachment = (filename: string) => {
    const relationship = 'data' as const;
    return { filename, mime_type: 'text/csv', relationship, data: bytes.toString('base64') };
  };
  const work = {
    template_id: template,
    options: { conformance: 'a-3b' },
    attachments: [attachment('é.csv')],
  } as const;
  const pdf = await client.documents.pdf({ ...work, data });
  expect(await attachmentsIn(await pdf.bytes())).toEqual(new Map([['é.csv', bytes]]));
  const items = [{ data, attachments: [attachment('b.csv')] }, { data }];
  const { id } = await client.batches.create({ ...work, format: 'pdf', items });
  expect(await client.batches.wait(id)).toMatchObject({ completed: 2 });
  for (const [index, names] of [['b.csv', 'é.csv'], ['é.csv']].entries()) {
    const file = await client.batches.downloadItem(id, index);
    expect(await attachmentsIn(await file.bytes())).toEqual(new Map(names.map((name) => [name, bytes])));
  }
});

describe('Print options', () => {
  const html = '<p>one<p style="break-before: page">two<p class="wide">three';
  const css = '@page wide { size: A4 landscape } .wide { page: wide }';
  const first = { content: 'For {{name}}' };
  const header = { enabled: true, content: 'common', first, even: false } as const;
  const footer = { enabled: true, content: '{{page}}/{{pages}}', last: { content: 'end' } };
  const properties = { title: 'Letter to {{name}}', keywords: ['letter', '{{name}}'] };
  const textsOf = async (pdf: Uint8Array) =>
    (await readPdf(pdf)).map(({ text }) => text.replaceAll(/\s/g, ''));

  it('come from the template and the request, in PDF and Word files', async () => {
    const ofTemplate = { page_size: 'a5', header, properties };
    const { id, default_options } = await live.createTemplate({ html, css, default_options: ofTemplate });
    expect(default_options).toEqual(ofTemplate);
    const options = { footer, properties: { author: 'Ben', language: 'de-CH' } };
    const pdf = await live.document(id, data, { options });
    expect(await textsOf(pdf)).toEqual(['oneForAda1/3', 'two2/3', 'threecommonend']);
    const widths = [420, 420, 842].map((width): unknown => expect.closeTo(width, -0.5));
    expect((await readPdf(pdf)).map(({ width }) => width)).toEqual(widths);
    const { info } = await openPdf(pdf, (document) => document.getMetadata());
    const entries = { Author: 'Ben', Keywords: 'letter, Ada', Language: 'de-CH' };
    expect(info).toMatchObject({ Title: 'Letter to Ada', ...entries });

    const docx = new DocxFile(await live.document(id, data, { options, format: 'docx' }));
    const headers = [...docx.parts.keys()].filter((name) => /word\/header\d/.test(name));
    expect(headers.map((name) => docx.paragraphs(name).join()).toSorted()).toEqual(['For Ada', 'common']);
    const names = ['dc:title', 'dc:creator', 'cp:keywords'];
    const texts = names.map((name) => docx.all('docProps/core.xml', name)[0]?.text);
    expect(texts).toEqual(['Letter to Ada', 'Ben', 'letter, Ada']);
  });

  it('apply to every item of a batch with an inline template', async () => {
    const template = { html, css, default_options: { header, footer } };
    const options = { page_ranges: '1,3-' };
    const { id } = await client.batches.create({ template, format: 'pdf', options, items: [{ data }] });
    await client.batches.wait(id);
    const pdf = await (await client.batches.downloadItem(id, 0)).bytes();
    expect(await textsOf(pdf)).toEqual(['oneForAda1/3', 'threecommonend']);
  });
});

describe('Code in an image', () => {
  it.each([
    ['sepa-invoice', SEPA_PAYMENT],
    ['swiss-bill', SWISS_PAYMENT],
  ])('contains the payment of examples/%s', async (name, text) => {
    const { spec } = parse(await page(`examples/${name}.yaml`)) as { spec: { html: string; css: string } };
    const example = JSON.parse(await page(`examples/${name}/data.json`)) as Record<string, unknown>;
    expect((await decoded({ html: spec.html, css: spec.css }, example)).replaceAll('\n', '|')).toBe(text);
  });

  it('contains the product of a GS1 DataMatrix', async () => {
    const html = '{{barCode "(01)03453120000011(17)290508(10)ABCD1234" "gs1datamatrix" height="30mm"}}';
    expect(await decoded({ html }, {})).toBe('(01)03453120000011(17)290508(10)ABCD1234');
  });

  async function decoded(template: { html: string; css?: string }, values: Record<string, unknown>) {
    const options = { device_scale: 2 };
    const request = { template, data: values, format: 'png' as const, options };
    const { id } = await client.documents.generate(request);
    return codeIn(await (await client.documents.download(id)).bytes());
  }
});

it('a document created with a test key carries the watermark, unlike one created with a live key', async () => {
  const pdfs = [await test.document(template, data), await live.document(template, data)];
  const texts = await Promise.all(pdfs.map(async (pdf) => (await readPdf(pdf)).map(({ text }) => text)));
  expect(texts).toEqual([[expect.stringMatching(/^Hello Ada ?TEST$/)], ['Hello Ada']]);
});
