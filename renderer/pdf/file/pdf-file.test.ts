import { describe, expect, it } from 'vitest';
import { WARM_UP_SETTINGS } from '../../browser/pool/browser-slot.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { PdfFile } from './pdf-file.ts';

describe('PdfFile.pageCount', () => {
  const chromium = testPage();

  const pages = (count: number) =>
    Array.from({ length: count }, (_, index) => `<p style="break-after: page">page ${index}</p>`).join('');

  it.each([1, 2, 7, 8, 9, 64, 65, 300])(
    'matches another PDF reader for a file of about %i pages',
    async (count) => {
      const pdf = await chromium.page.print(pages(count), WARM_UP_SETTINGS);
      expect(new PdfFile(pdf).pageCount).toBe((await readPdf(pdf)).pages.length);
      expect(new PdfFile(pdf).pageCount).toBeGreaterThanOrEqual(count);
    },
  );

  it('ignores the content of the document', async () => {
    const lie = '/Type /Pages /Count 99 /Root 1 0 R startxref 0 %%EOF trailer xref';
    const html = `<!doctype html><title>${lie}</title><p>${lie}</p><a href="http://x/${lie}">${lie}</a>`;
    expect(new PdfFile(await chromium.page.print(html, WARM_UP_SETTINGS)).pageCount).toBe(1);
  });
});
