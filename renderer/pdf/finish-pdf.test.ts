import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { handmadePdf } from '../testing/files/handmade-pdf.ts';
import { testPage } from '../testing/browser/test-browser.ts';
import { finishPdf } from './finish-pdf.ts';

const createdAt = new Date('2026-11-20T01:02:03.456Z');
const LIVE = { mode: 'live', createdAt } as const;
const TEST = { mode: 'test', createdAt } as const;

describe('finishPdf', () => {
  const chromium = testPage();
  const print = (html: string) => chromium.page.print(`<!doctype html>${html}`, WARM_UP_SETTINGS);

  it("preserves the browser's output, except its dates, for a live key", async () => {
    const printed = await print('x');
    const asPrinted = printed.toString('latin1');
    const { pdf, pages } = await finishPdf(printed, LIVE);
    expect(pages).toBe(1);
    const dated = asPrinted.replaceAll(/(?<=Date )\(D:[^)]*\)/g, "(D:20261120010203+00'00')");
    expect(dated).not.toBe(asPrinted);
    expect(pdf.toString('latin1', 0, printed.length)).toBe(dated);
    expect(pdf.toString('latin1')).toMatch(/%%EOF\n$/);
  });

  it('adds the metadata if the browser did not write any', async () => {
    const pages = '<</Type /Pages /Count 1 /Kids [3 0 R]>>';
    const bare = handmadePdf(['<</Pages 2 0 R>>', pages, '<</Type /Page /MediaBox [0 0 9 9]>>']);
    expect(await infoOf((await finishPdf(bare, LIVE)).pdf)).toMatchObject({ Creator: 'Trifold' });
  });

  it.each([
    ['an empty file', () => Buffer.alloc(0)],
    ['a file that is not a PDF', () => Buffer.from('%PDF-1.4 startxref 5 %%EOF')],
    ['an incomplete file', (pdf: Buffer) => pdf.subarray(0, pdf.length / 2)],
    ['a file without its end', (pdf: Buffer) => pdf.subarray(0, -8)],
    ['a wrong cross-reference', (pdf: Buffer) => Buffer.concat([pdf.subarray(0, 20), pdf.subarray(30)])],
    ['an incrementally updated file', async (pdf: Buffer) => (await finishPdf(pdf, LIVE)).pdf],
    ['an encrypted file', (pdf: Buffer) => replaced(pdf, '/Info', '/Encrypt 1 0 R /Info')],
    ['a cross-reference stream', (pdf: Buffer) => replaced(pdf, 'xref\n0 ', '9 0 obj')],
    [
      'a second cross-reference table',
      (pdf: Buffer) => replaced(pdf, 'trailer', '7 1\n0000000000 00000 n \ntrailer'),
    ],
  ])('fails as retryable for %s, for test and live keys', async (_, damage) => {
    const pdf = await damage(await print('x'));
    const failure = expect.objectContaining({ code: 'print_failed', retryable: true });
    for (const document of [LIVE, TEST]) {
      await expect(finishPdf(pdf, document)).rejects.toEqual(failure);
    }
  });
});

function replaced(pdf: Buffer, text: string, other: string): Buffer {
  const at = pdf.lastIndexOf(text);
  return Buffer.concat([pdf.subarray(0, at), Buffer.from(other), pdf.subarray(at + text.length)]);
}

async function infoOf(pdf: Buffer) {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const { info } = await (await task.promise).getMetadata();
  await task.destroy();
  return info;
}
