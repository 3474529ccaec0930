import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fontFile } from '../testing/files/font-file.ts';
import { drawPdf } from '../testing/files/pdf-picture.ts';
import type { PdfPage } from '@trifold/test-support/files/pdf.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';
import { testPage } from '../testing/browser/test-browser.ts';

const chromium = testPage();

const render = async (document: TestDocument) =>
  (await readPdf(await renderDocument(chromium.page, document))).pages;
const textsOf = ({ texts }: PdfPage) => texts.map(({ text }) => text);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const PLAIN = 'body { margin: 0; font: 10pt/10pt sans-serif } p { margin: 0 }';

it('a document whose search for warnings fails is printed with its header', async () => {
  const laidOut = chromium.page.laidOut.bind(chromium.page);
  const fails = () => Promise.reject(new Error('lost'));
  const search = vi.spyOn(chromium.page, 'laidOut').mockImplementation((area) => laidOut(area, fails));
  onTestFinished(() => search.mockRestore());
  const header = { enabled: true, content: 'Head' };
  const [first] = await render({ html: '<p style="width: 2000px">x</p>', options: { header } });
  expect(first?.text).toContain('Head');
  expect(search).toHaveBeenCalledOnce();
});

describe('a long table', () => {
  const html = `<table><thead><tr><th>Head</th></tr></thead><tfoot><tr><td>Foot</td></tr></tfoot>
    <tbody>{{#each rows}}<tr><td>First {{this}}<br>second {{this}}<br>third {{this}}</td></tr>{{/each}}</tbody></table>`;

  it('repeats its head and foot on every page and breaks between rows', async () => {
    const css = `${PLAIN} table { width: 100% } tr { break-inside: avoid }`;
    const pages = await render({ html, css, data: { rows: numbers(200) } });
    expect(pages.length).toBeGreaterThan(7);
    for (const each of pages) {
      const texts = textsOf(each);
      expect(texts[0]).toBe('Head');
      expect(texts.filter((text) => text === 'Foot')).toHaveLength(1);
      const rows = texts.filter((text) => /\d/.test(text)).join(' ');
      expect(rows.replaceAll(/First (\d+) second \1 third \1 ?/g, '')).toBe('');
    }
    const all = pages.flatMap(textsOf).filter((text) => text.startsWith('First'));
    expect(all).toEqual(numbers(200).map((number) => `First ${number}`));
  });
});

it('embedded resources are visible: a font, an image, an inline SVG and an SVG file', async () => {
  const font = (await fontFile()).toString('base64');
  const svg = (fill: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="${fill}"/></svg>`;
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const html = `<p style="font-family: Own">own</p><img width="20" src="data:image/png;base64,${png}">${svg('#00ff00')}
      <img src="data:image/svg+xml,${encodeURIComponent(svg('#0000ff'))}">`;
  const css = `${PLAIN} @font-face { font-family: Own; src: url(data:font/ttf;base64,${font}) }`;
  const file = await renderDocument(chromium.page, { html, css });
  const [first] = (await readPdf(file)).pages;
  expect(first).toMatchObject({
    images: 1,
    fillColors: expect.arrayContaining(['#00ff00', '#0000ff']) as unknown,
  });
  const [picture] = await drawPdf(file, { scale: 1 });
  const colours = new Set<string>();
  for (let at = 0; at < (picture?.pixels.length ?? 0); at += 4) {
    colours.add(picture?.pixels.subarray(at, at + 3).join() ?? '');
  }
  expect(colours).toContain('0,255,0');
  expect(colours).toContain('0,0,255');
});
