import { DocxFile } from '@trifold/renderer/testing/files/read-docx.ts';
import { readPng } from '@trifold/renderer/testing/files/read-png.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { live, test } from './service-under-test.ts';
import { eventually } from '../support/eventually.ts';

const FORMATS = [
  ['png', 'image/png', '\x89PNG\r\n\x1a\n'],
  ['html', 'text/html; charset=utf-8', '<!doctype html>'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'],
] as const;

/** Hides, covers and removes all content of a page. */
const HOSTILE_CSS = `
  * { visibility: hidden !important; color: transparent !important; opacity: 0 !important }
  @media print { html, body, body * { display: none !important } }
  html { filter: invert(1) !important; mix-blend-mode: difference !important; clip-path: circle(0) !important }
  body::after { content: ''; position: fixed; inset: -9in; background: white; z-index: 2147483647 }`;

let template: string;
beforeAll(async () => {
  const html =
    '<!doctype html><html><head><title>Hi</title></head><body><h1>Hello {{name}}</h1></body></html>';
  template = (await live.createTemplate({ html, css: 'body { background: #0a0 }' })).id;
});
const data = { name: 'Ada' };

describe.each(FORMATS)('Format %s', (format, contentType, magic) => {
  it('has its content type, file extension and first bytes', async () => {
    const { file_url, file_size } = await live.generate(template, data, { format, filename: 'Größe' });
    const file = await live.get(file_url as string);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe(contentType);
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(String.raw`^attachment;.*Gr%C3%B6%C3%9Fe\.${format}$`),
    );
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(file.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
    expect(file.bytes).toHaveLength(file_size as number);
  });

  it('uses the id of the document as the default file name', async () => {
    const { id, file_url } = await live.generate(template, data, { format });
    const disposition = (await live.get(file_url as string)).headers.get('content-disposition');
    expect(disposition).toContain(`${id}.${format}`);
  });

  it('is streamed to clients that accept its type and rejected for clients that request a PDF', async () => {
    const body = { template_id: template, data, format };
    const streamed = await live.post('/v1/generate', body, { accept: contentType.replace(/;.*/, '') });
    expect(streamed.status).toBe(200);
    expect(streamed.headers.get('content-type')).toBe(contentType);
    expect(streamed.bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
    const rejected = await live.post('/v1/generate', body, { accept: 'application/pdf' });
    expect(expectError(rejected, 400, 'invalid_request').message).toContain('/format');
  });

  it('applies to every item of a batch and to the file names in the zip', async () => {
    const body = { template_id: template, format, items: [{ data }, { data }] };
    const { id } = (await live.post('/v1/generate/batch', body)).json<{ id: string }>();
    await eventually(
      async () =>
        expect((await live.get(`/v1/generate/batch/${id}`)).json()).toMatchObject({
          status: 'completed',
          format,
          completed: 2,
        }),
      { timeoutMs: 60_000, intervalMs: 50 },
    );
    const item = await live.get(`/v1/generate/batch/${id}/items/1/download`);
    expect(item.headers.get('content-type')).toBe(contentType);
    const archive = await live.get(`/v1/generate/batch/${id}/download`);
    expect(archive.bytes.includes(Buffer.from(`${id}-1.${format}`))).toBe(true);
  });

  it('appears under its own name in the usage', async () => {
    const count = async () => {
      const { total } = (await live.get('/v1/usage')).json<{
        total: { documents: { live: Record<string, number> }; pages: number };
      }>();
      return total.documents.live[format] ?? 0;
    };
    const before = await count();
    await live.generate(template, data, { format });
    await eventually(async () => expect(await count()).toBeGreaterThan(before), { timeoutMs: 30_000 });
  });
});

describe('Content of a document', () => {
  it('in every format has numbers and dates of the requested locale and time zone', async () => {
    const html =
      '<p>{{formatCurrency n "EUR"}} {{formatDate t "short" time="short"}}</p>' +
      '{{#eq (formatNumber n) "1.234,5"}}<div style="height: 2000px"></div>{{/eq}}';
    const { id } = await live.createTemplate({ html, default_options: { locale: 'fr' } });
    const options = { locale: 'de-DE', time_zone: 'Europe/Berlin' };
    const german = { n: 1234.5, t: '2026-11-21T23:30:00Z' };
    const text = '1.234,50\u00a0€ 22.11.26, 00:30';
    const page = await live.document(id, german, { format: 'html', options });
    expect(page.toString()).toContain(`<p>${text}</p>`);
    const docx = new DocxFile(await live.document(id, german, { format: 'docx', options }));
    expect(docx.paragraphs()).toContain(text);
    const { height } = readPng(await live.document(id, german, { format: 'png', options }));
    expect(height).toBeGreaterThan(2000);
  });

  it('as png has the size of the page and the requested device scale', async () => {
    const options = { page_size: 'custom', width: '400px', height: '300px', margins: '0in', device_scale: 2 };
    const picture = readPng(await live.document(template, data, { format: 'png', options }));
    expect(picture).toMatchObject({ width: 800, height: 600 });
    expect(picture.at(790, 590)).toEqual([0, 170, 0]);
  });

  it('as png contains only the first page if full_page is false', async () => {
    const { id } = await live.createTemplate({ html: '<div style="height: 5000px">x</div>' });
    const [whole, first] = await Promise.all(
      [true, false].map(async (full_page) =>
        live.document(id, {}, { format: 'png', options: { full_page } }),
      ),
    );
    expect(readPng(whole as Buffer).height).toBeGreaterThan(5000);
    expect(readPng(first as Buffer)).toMatchObject({ width: 816, height: 1056 });
  });

  it('as html is merged, includes its css and cannot reach the network', async () => {
    const text = (await live.document(template, { name: '<b>' }, { format: 'html' })).toString();
    expect(text).toContain('<h1>Hello &lt;b&gt;</h1>');
    expect(text).toContain('background: #0a0');
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`);
  });

  it('as docx has its headings and the requested page size', async () => {
    const file = new DocxFile(
      await live.document(template, data, {
        format: 'docx',
        options: { page_size: 'a4', orientation: 'landscape' },
      }),
    );
    expect(file.paragraphs()).toEqual(['Hello Ada']);
    expect(file.all('word/document.xml', 'w:pStyle')[0]?.attributes['w:val']).toBe('Heading1');
    expect(file.all('word/document.xml', 'w:pgSz')[0]?.attributes).toMatchObject({
      'w:w': '16838',
      'w:h': '11906',
    });
  });

  it.each([
    ['device_scale', 4],
    ['device_scale', 0.5],
    ['full_page', 'yes'],
  ])('is rejected for a %s of %j', async (member, value) => {
    const body = { template_id: template, data, format: 'png', options: { [member]: value } };
    const error = expectError(await live.post('/v1/generate', body), 400, 'invalid_request');
    expect(error.message).toContain(`/options/${member}`);
  });

  it('as png fails if the picture is too large, and the error suggests a remedy', async () => {
    const { id } = await live.createTemplate({ html: '<div style="height: 900000px">x</div>' });
    const answer = await live.post('/v1/generate', { template_id: id, data: {}, format: 'png' });
    const { status, error } = answer.json<GenerationAnswer & { error: { code: string; message: string } }>();
    expect([status, error.code]).toEqual(['failed', 'output_too_large']);
    expect(error.message).toMatch(/816 × \d{6} pixels.*full_page false/);
  });
});

describe('Watermark of a test key', () => {
  /** Number of pixels that differ between two pictures. */
  const differences = (one: Buffer, other: Buffer) => {
    const [before, after] = [readPng(one), readPng(other)];
    let count = 0;
    for (let y = 0; y < before.height; y += 2) {
      for (let x = 0; x < before.width; x += 2)
        count += Number(before.at(x, y).join() !== after.at(x, y).join());
    }
    return count;
  };

  it.each([
    ['an ordinary template', { html: '<p>x</p>' }],
    ['css that hides and covers everything', { html: '<p>x</p>', css: HOSTILE_CSS }],
  ])('appears on a png for any template: %s', async (_what, content) => {
    const { id } = await live.createTemplate(content);
    const options = { page_size: 'custom', width: '400px', height: '300px' };
    const [marked, plain] = [
      await test.document(id, {}, { format: 'png', options }),
      await live.document(id, {}, { format: 'png', options }),
    ];
    expect(differences(plain, marked)).toBeGreaterThan(1000);
  });

  it('appears in html and docx', async () => {
    const html = (await test.document(template, data, { format: 'html' })).toString();
    expect(html).toContain('content: "TEST" !important');
    expect((await live.document(template, data, { format: 'html' })).toString()).not.toContain('TEST');
    const docx = new DocxFile(await test.document(template, data, { format: 'docx' }));
    expect(docx.paragraphs('word/header1.xml')).toEqual(['TEST']);
  });
});

const REFRESH = '<meta http-equiv="refresh" content="9;url=https://elsewhere.example/?{{name}}">';

it.each([
  ['', REFRESH],
  [' hidden behind an odd tag', `<style x"></style>${REFRESH}`],
])('does not generate an html file with a meta refresh%s', async (_, head) => {
  const { id } = await live.createTemplate({ html: `<!doctype html>${head}<p>x</p>` });
  const answer = await live.post('/v1/generate', { template_id: id, data, format: 'html' });
  expect(answer.json<GenerationAnswer>()).toMatchObject({
    status: 'failed',
    error: { code: 'document_navigates' },
  });
});
