import { DocxFile } from '@trifold/renderer/testing/files/read-docx.ts';
import { readPng } from '@trifold/renderer/testing/files/read-png.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPdf, readPdf } from '../support/files/pdf.ts';
import { live, test, typescriptClient } from './service-under-test.ts';

const FORMATS = [
  ['pdf', 'application/pdf', '%PDF-'],
  ['png', 'image/png', '\x89PNG\r\n\x1a\n'],
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

describe.each(FORMATS)('A document as %s', (format, contentType, magic) => {
  it('has its content type, file name and first bytes, and is streamed to clients that accept it', async () => {
    const { file_url, file_size } = await live.generate(template, data, { format, filename: 'Größe' });
    const file = await live.get(file_url as string);
    expect(file.headers.get('content-type')).toBe(contentType);
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(String.raw`^attachment;.*Gr%C3%B6%C3%9Fe\.${format}$`),
    );
    expect(file.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
    expect(file.bytes).toHaveLength(file_size as number);
    const accept = contentType.replace(/;.*/, '');
    const streamed = await live.post('/v1/generate', { template_id: template, data, format }, { accept });
    expect(streamed.headers.get('content-type')).toBe(contentType);
    expect(streamed.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
  });

  it('is the file of every item of a batch', async () => {
    const { batches } = typescriptClient(live);
    const { id } = await batches.create({ template_id: template, format, items: [{ data }, { data }] });
    expect(await batches.wait(id)).toMatchObject({ status: 'completed', format, completed: 2 });
    const item = await batches.downloadItem(id, 1);
    expect(item).toMatchObject({ contentType, filename: `${id}-1.${format}` });
  });
});

describe('Headers and footers by page', () => {
  const html = '<p>one<p style="break-before: page">two<p style="break-before: page">three';
  const header = { enabled: true, content: 'common', first: { content: 'For {{name}}' }, even: false };
  const footer = { enabled: true, content: '{{page}}/{{pages}}', last: { content: 'end' } };

  it('come from the template and the request, in a PDF as in Word', async () => {
    const { id, default_options } = await live.createTemplate({ html, default_options: { header } });
    expect(default_options).toEqual({ header });
    const pages = await readPdf(await live.document(id, data, { options: { footer } }));
    const texts = pages.map(({ text }) => text.replaceAll(/\s/g, ''));
    expect(texts).toEqual(['oneForAda1/3', 'two2/3', 'threecommonend']);
    const docx = new DocxFile(await live.document(id, data, { options: { footer }, format: 'docx' }));
    const headers = [...docx.parts.keys()].filter((name) => /word\/header\d/.test(name));
    expect(headers.map((name) => docx.paragraphs(name).join()).toSorted()).toEqual(['For Ada', 'common']);
  });
});

describe('Document properties', () => {
  it('come from the template and the request, in a PDF as in Word', async () => {
    const ofTemplate = { title: 'Letter to {{name}}', keywords: ['letter', '{{name}}'] };
    const { id, default_options } = await live.createTemplate({
      html: '<p>one',
      default_options: { properties: ofTemplate },
    });
    expect(default_options).toEqual({ properties: ofTemplate });
    const options = { properties: { author: 'Ben', language: 'de-CH' } };
    const pdf = await live.document(id, data, { options });
    const { info } = await openPdf(pdf, (document) => document.getMetadata());
    expect(info).toMatchObject({
      Title: 'Letter to Ada',
      Author: 'Ben',
      Keywords: 'letter, Ada',
      Language: 'de-CH',
    });
    const docx = new DocxFile(await live.document(id, data, { options, format: 'docx' }));
    const names = ['dc:title', 'dc:creator', 'cp:keywords'];
    const texts = names.map((name) => docx.all('docProps/core.xml', name)[0]?.text);
    expect(texts).toEqual(['Letter to Ada', 'Ben', 'letter, Ada']);
  });
});

describe('Documents of a test key', () => {
  it('carry the watermark in every format, and those of a live key do not', async () => {
    const pdfs = [await test.document(template, data), await live.document(template, data)];
    const texts = await Promise.all(pdfs.map(async (pdf) => (await readPdf(pdf)).map(({ text }) => text)));
    expect(texts).toEqual([[expect.stringMatching(/^Hello Ada ?TEST$/)], ['Hello Ada']]);

    const png = { format: 'png' };
    const [marked, plain] = [
      await test.document(template, data, png),
      await live.document(template, data, png),
    ];
    expect(await readPng(marked)).toMatchObject({ width: 816, height: 1056 });
    expect(marked.equals(plain)).toBe(false);

    const html = (await test.document(template, data, { format: 'html' })).toString();
    expect(html).toContain('content: "TEST" !important');
    const docx = new DocxFile(await test.document(template, data, { format: 'docx' }));
    expect(docx.paragraphs('word/header1.xml')).toEqual(['TEST']);
    expect(docx.paragraphs()).toEqual(['Hello Ada']);
  });
});
