import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { fontFile } from '../../testing/files/font-file.ts';
import { drawPdf } from '../../testing/files/pdf-picture.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../../testing/render-document.ts';
import { testPage } from '../../testing/browser/test-browser.ts';

const chromium = testPage();

/** Joins the strings of a page with spaces, regardless of their position. */
const render = async (document: TestDocument) => {
  const { pages } = await readPdf(await renderDocument(chromium.page, document));
  const textOf = (texts: readonly { text: string }[]) => texts.map(({ text }) => text).join(' ');
  return {
    pages: pages.map((each) => ({ ...each, text: textOf(each.texts).replaceAll(/\s+/g, ' ').trim() })),
  };
};
const header = (content: string, more: object = {}) => ({ header: { enabled: true, content, ...more } });
const footer = (content: string, more: object = {}) => ({ footer: { enabled: true, content, ...more } });
const placeOf = async (document: TestDocument, text: string, number = 0) => {
  const { pages } = await render(document);
  const item = pages[number]?.texts.find((each) => each.text.includes(text));
  return item && { x: item.left, y: item.baseline, width: pages[number]?.width };
};
const PLAIN = 'body { margin: 0; font: 10pt/10pt sans-serif }';
/** Distance from a line's top to its baseline. */
const ASCENT = 8.3;
const about = (points: number): unknown => expect.closeTo(points, -0.5);

describe('a header and a footer', () => {
  const both: RenderOptions = {
    margins: { top: '1in', right: '2in', bottom: '1in', left: '1.5in' },
    ...header('above', { height: '0.5in' }),
    ...footer('below', { height: '1in' }),
  };
  const html = '<p style="margin: 0">content';

  it('are between the margins and the content', async () => {
    const document = { html, css: PLAIN, options: both };
    expect(await placeOf(document, 'above')).toMatchObject({ x: about(108), y: about(72 + ASCENT) });
    expect(await placeOf(document, 'content')).toMatchObject({ x: about(108), y: about(108 + ASCENT) });
    expect(await placeOf(document, 'below')).toMatchObject({ x: about(108), y: about(792 - 144 + ASCENT) });
  });

  it('reduce the content space on every page', async () => {
    const lines = '<div style="height: 1in">line</div>'.repeat(28);
    const margins = { top: '1in', bottom: '1in' };
    const count = async (more: RenderOptions) =>
      (await render({ html: lines, css: PLAIN, options: { margins, ...more } })).pages.length;
    expect(await count({})).toBe(4);
    expect(await count({ ...header('x', { height: '1in' }), ...footer('y', { height: '2in' }) })).toBe(5);
    // The height also counts without content.
    expect(await count({ header: { enabled: true, height: '3in' } })).toBe(5);
  });

  it('are clipped at their height and never overlap the content or another page', async () => {
    const long = '<div style="height: 0.4in">first</div><div>second</div>'.repeat(40);
    const pdf = await renderDocument(chromium.page, {
      html,
      css: PLAIN,
      options: { ...header(long), ...footer(long) },
    });
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(1);
    const [picture] = await drawPdf(pdf, { scale: 1 });
    const row = (y: number) =>
      picture?.pixels.subarray(y * picture.width * 4, (y + 1) * picture.width * 4) ?? [];
    const isWhite = (y: number) => row(y).every((value) => value === 255);
    expect(Array.from({ length: 20 }, (_, index) => 66 + 20 + index).every(isWhite)).toBe(true);
    expect(Array.from({ length: 40 }, (_, index) => isWhite(29 + index)).includes(false)).toBe(true);
  });

  it.each<[RenderOptions, number, number]>([
    [{ pageSize: 'custom', width: '4in', height: '3in' }, 288, 216],
    [{ pageSize: 'a4', orientation: 'landscape' }, 842, 595],
  ])('fit on a page of any size: %j', async (size, width, height) => {
    const content = '<div style="text-align: right">end</div>';
    const options = { ...size, ...footer(content, { height: '0.5in' }) };
    const place = await placeOf({ html, css: PLAIN, options }, 'end');
    expect(place?.width).toEqual(about(width));
    expect(place?.x).toBeGreaterThan(width - 29 - 30);
    expect(place?.y).toEqual(about(height - 28.8 - 36 + ASCENT));
  });
});

describe('page numbers', () => {
  it('are correct on all 250 pages', async () => {
    const html = Array.from(
      { length: 250 },
      (_, index) => `<p style="break-after: page">content ${index + 1}`,
    );
    const options = { ...header('no number'), ...footer('[{{page}}/{{ pages }}]') };
    const { pages } = await render({ html: html.join(''), options });
    expect(pages).toHaveLength(250);
    pages.forEach(({ text }, index) => {
      expect(text).toBe(`content ${index + 1} no number [${index + 1}/250]`);
    });
  });

  it('are correct even if the footer is so large that it prints in parts', async () => {
    const html = Array.from({ length: 4 }, (_, index) => `<p style="break-after: page">content ${index + 1}`);
    const content = '{{page}}/{{pages}}<!-- {{{large}}} -->';
    const data = { large: 'x'.repeat(2 ** 20 - 100) };
    const { pages } = await render({ html: html.join(''), data, options: footer(content) });
    expect(pages.map(({ text }) => text)).toEqual(
      html.map((_, index) => `content ${index + 1} ${index + 1}/4`),
    );
  });

  it.each([
    ['{{page}} of {{pages}}', '1 of 1'],
    ['{{ page }} of {{  pages }}', '1 of 1'],
    ['{{~page~}} of {{{pages}}}', '1of 1'],
    ['<i title="{{page}}">{{page}}{{page}}</i>', '11'],
    ['{{#each list}}{{this}}:{{page}} {{/each}}', 'a:1 b:1'],
    // Data with these names is accessible with `this` or as an argument.
    ['{{page}} {{this.page}} {{#if pages}}yes{{/if}}', '1 DATA yes'],
    ['\\{{page}}', '{{page}}'],
  ])('are correct in %s', async (content, expected) => {
    const data = { page: 'DATA', pages: 'DATA', list: ['a', 'b'] };
    const { pages } = await render({ html: ' ', data, options: footer(content) });
    expect(pages[0]?.text).toBe(expected);
  });
});

describe('the content of a header', () => {
  it.each(['<ul><li>No {{page}}', 'No {{page}}<!-- ', 'No {{page}}<p hidden title="'])(
    'appears separately on every page, with any element left open: %s',
    async (content) => {
      const html = '<p>1<p style="break-before: page">2<p style="break-before: page">3';
      const options = { ...header(content), ...footer(content) };
      const { pages } = await render({ html, css: 'ul { list-style: none }', options });
      expect(pages.map(({ text }) => text)).toEqual(['1 No 1 No 1', '2 No 2 No 2', '3 No 3 No 3']);
      const tops = pages.map(({ texts }) =>
        texts.filter(({ text }) => text.includes('No')).map(({ baseline }) => baseline),
      );
      expect(tops[1]).toEqual(tops[0]);
      expect(tops[2]).toEqual(tops[0]);
    },
  );

  it('fails the document with options_invalid if no tag can close it', async () => {
    const html = '<p>1<p style="break-before: page">2';
    const rendering = render({ html, options: footer('{{page}}<plaintext>') });
    await expect(rendering).rejects.toMatchObject({ code: 'options_invalid', retryable: false });
  });

  it.each([
    ['<style>html, body { direction: rtl }</style><p>x', ''],
    ['<body dir="rtl"><p>x', ''],
    ['<html dir="auto"><p>שלום', ''],
    ['<body class="rtl"><p>x', 'body { direction: ltr } .rtl { direction: rtl }'],
  ])("has the computed direction of the document's body: %s", async (document, css) => {
    const place = await placeOf({ html: document, css, options: header('above') }, 'above');
    expect(place?.x).toBeGreaterThan(500);
  });

  it("uses the template's CSS, including fonts and images", async () => {
    const font = `@font-face { font-family: Own; src: url(data:font/ttf;base64,${(await fontFile()).toString('base64')}) }`;
    const css = `${font} .brand { color: #ff0000; font-family: Own } .box { background: #00ff00; height: 9px }`;
    const svg = '<svg width="9" height="9"><rect width="9" height="9" fill="#0000ff"/></svg>';
    const content = `<div class="box"></div><b class="brand">brand</b>${svg}`;
    const { pages } = await render({ html: ' ', css, options: header(content) });
    expect(pages[0]?.fillColors).toEqual(expect.arrayContaining(['#ff0000', '#00ff00', '#0000ff']));
  });

  it('inherits text styles from the CSS of body, but no box, background or generated content', async () => {
    const css = `
      html { background: #ff0000; height: 9in } body { background: #00ff00; padding: 3in; color: #0000ff; font: 10pt/10pt serif }
      body::before, body::after { content: "around" } * { break-before: page }
      @page { margin: 2in; @top-center { content: "corner" } }`;
    const { pages } = await render({
      html: ' ',
      css,
      options: { ...header('above'), printBackground: false },
    });
    const all = pages.map(({ text }) => text).join(' ');
    expect(all.match(/around/g)).toHaveLength(2);
    expect(all.match(/corner/g)).toHaveLength(pages.length);
    const place = pages[0]?.texts.find(({ text }) => text === 'above');
    expect(place).toMatchObject({ left: about(28.8), baseline: about(28.8 + ASCENT) });
    const printed = await render({
      html: ' ',
      css: css.replace('background: #ff0000;', ''),
      options: header('above'),
    });
    const plain = await render({ html: ' ', css: css.replace('background: #ff0000;', '') });
    const green = ({ fillColors }: { fillColors: readonly string[] }) =>
      fillColors.filter((fill) => fill === '#00ff00').length;
    expect(printed.pages.map(green)[0]).toBe(plain.pages.map(green)[0]);
  });

  it('can have any class or ID', async () => {
    const content = '<b class="date title url pageNumber totalPages text" id="header">mine</b>';
    const { pages } = await render({ html: '<title>Title</title> ', options: header(content) });
    expect(pages[0]?.text).toBe('mine');
  });

  it('cannot escape into the footer or the page', async () => {
    const content = '</trifold-header></trifold-sheet></body></html>above<!--';
    const { pages } = await render({ html: 'content', options: { ...header(content) } });
    expect(pages).toHaveLength(1);
    expect(pages[0]?.text).toContain('content');
  });

  it("ignores the document's content security policy", async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
    const html = `<head>${policy}</head><p>content`;
    const css = 'b { color: #ff0000 }';
    const { pages } = await render({ html, css, options: header('<b>above</b>') });
    expect(pages[0]?.fillColors).toContain('#ff0000');
  });
});
