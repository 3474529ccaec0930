import { describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { readPdf } from '../support/files/pdf.ts';
import { live, test } from './service-under-test.ts';

/** Hides, covers and removes all content of a page. */
const HOSTILE_CSS = `
  @page { size: 10mm 10mm; margin: 30in }
  * { visibility: hidden !important; color: transparent !important; opacity: 0 !important }
  @media print { html, body, body * { display: none !important } }
  body::after { content: ''; position: fixed; inset: -9in; background: white; z-index: 2147483647 }`;
const THREE_PAGES = `<p>one</p><p style="break-before: page">two</p><p style="break-before: page">three</p>`;

const marksOf = async (pdf: Uint8Array) =>
  (await readPdf(pdf)).map(({ texts, text }) => ({
    lines: texts.filter((line) => /\bTEST\b/.test(line.text)).length,
    isLast: text.endsWith('TEST'),
  }));
const MARKED = { lines: 1, isLast: true };
const UNMARKED = { lines: 0, isLast: false };

describe('Watermark on every page of a test key and on none of a live key', () => {
  it.each([
    ['an ordinary template', {}, 3],
    ['css that hides and covers everything', { css: HOSTILE_CSS }, undefined],
    [
      'a landscape page without margins',
      { default_options: { orientation: 'landscape', margins: '0in' } },
      3,
    ],
  ])('applies to %s', async (_what, template, pages) => {
    const { id } = await live.createTemplate({ html: THREE_PAGES, ...template });
    const marked = await marksOf(await test.document(id));
    expect(marked).toEqual(marked.map(() => MARKED));
    expect(marked.length).toBeGreaterThan(0);
    if (pages !== undefined) expect(marked).toHaveLength(pages);
    expect(await marksOf(await live.document(id))).toEqual(marked.map(() => UNMARKED));
  });

  it('applies to asynchronous documents', async () => {
    const { id } = await live.createTemplate({ html: THREE_PAGES });
    const accepted = await test.post('/v1/generate', { template_id: id, data: {}, async: true });
    expect(accepted.status, accepted.text).toBe(202);
    const done = await test.finished(accepted.json<GenerationAnswer>().id);
    expect(done.status).toBe('completed');
    const file = await test.get(done.file_url as string);
    expect(await marksOf(file.bytes)).toEqual([MARKED, MARKED, MARKED]);
  });

  it('applies to documents requested as a file', async () => {
    const { id } = await live.createTemplate({ html: THREE_PAGES });
    const accept = { accept: 'application/pdf' };
    const answer = await test.post('/v1/generate', { template_id: id, data: {} }, accept);
    expect(answer.status).toBe(200);
    expect(await marksOf(answer.bytes)).toEqual([MARKED, MARKED, MARKED]);
  });

  it('does not change the reported properties of a document', async () => {
    const { id } = await live.createTemplate({ html: THREE_PAGES });
    const [ofTest, ofLive] = [await test.generate(id), await live.generate(id)];
    expect(Object.keys(ofTest).sort()).toEqual(Object.keys(ofLive).sort());
    const file = await test.get(`${ofTest.file_url}`);
    expect(file.bytes.length).toBe(ofTest.file_size);
  });
});
