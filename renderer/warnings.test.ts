import type { DocumentWarning } from '@trifold/crds';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { describe, expect, it } from 'vitest';
import { pngPixel } from './testing/files/png.ts';
import { RendererFixture, type Order } from './testing/renderer-fixture.ts';

// Documents share a page, so a warning could reach the wrong one.
const fixture = RendererFixture.forSuite({ browsers: 1 });

async function warningsOf(content: Partial<RevisionContent> | string, order?: Order) {
  const revision = typeof content === 'string' ? { html: content } : content;
  return (await fixture.complete(revision, order)).warnings;
}

const summary = (warnings: readonly DocumentWarning[] = []) =>
  warnings.map(({ code, name }) => `${code} ${name}`);

describe('Warnings about resources', () => {
  it('name images, style sheets and fonts that were not loaded', async () => {
    const css =
      '@font-face { font-family: Own; src: url(https://fonts.example/own.woff2) } p { font-family: Own }';
    const html = `<!doctype html><link rel="stylesheet" href="https://cdn.example/print.css">
      <p style="background: url(https://images.example/paper.png)">x<img src="https://images.example/logo.png">`;
    const warnings = await warningsOf({ html, css });
    expect(summary(warnings).toSorted()).toEqual([
      'resource_blocked https://cdn.example/print.css',
      'resource_blocked https://fonts.example/own.woff2',
      'resource_blocked https://images.example/logo.png',
      'resource_blocked https://images.example/paper.png',
    ]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ name: 'https://images.example/logo.png', part: 'html', line: 2, column: 79 }),
    );
    expect(warnings).toContainEqual(
      expect.objectContaining({ name: 'https://fonts.example/own.woff2', part: 'css', line: 1, column: 41 }),
    );
    expect(warnings?.map(({ message }) => message)).toContain(
      'The font was not loaded: its host is not allowed. Embed the resource, or ask an operator to allow the host.',
    );
  });

  it.each(['pdf', 'png', 'docx'] as const)('name an image once: %s', async (format) => {
    const html = '<p>x</p><img src="https://images.example/a.png"><img src="https://images.example/a.png">';
    expect(summary(await warningsOf(html, { format }))).toEqual([
      'resource_blocked https://images.example/a.png',
    ]);
  });

  it.each(['pdf', 'docx'] as const)('include those from the header and footer: %s', async (format) => {
    const header = { enabled: true, content: '<img src="https://images.example/header.png">' };
    const footer = { enabled: true, content: '<img src="https://images.example/footer.png">' };
    const html = '<p>1</p><p style="break-before: page">2</p>';
    expect(summary(await warningsOf(html, { format, options: { header, footer } })).toSorted()).toEqual([
      'resource_blocked https://images.example/footer.png',
      'resource_blocked https://images.example/header.png',
    ]);
  });

  it('hide the parts of a URL that often contain secrets', async () => {
    const html = '<img src="https://images.example/a.png?signature=secret#secret">';
    expect(summary(await warningsOf(html))).toEqual(['resource_blocked https://images.example/a.png?…']);
  });
});

describe('Warnings about wide content', () => {
  const table = (width: number) =>
    `<!doctype html>\n<p>x</p><table class="lines wide" style="width:${width}px"><tr><td>1</td></table>`;

  it.each<[string, number, NonNullable<Order['options']>, string]>([
    ['shrunk', 900, {}, 'ends at 908 px, but the page has room for 741 px. All pages were shrunk to 82%.'],
    ['shrunk at another scale', 1000, { scale: 0.8 }, 'room for 926 px. All pages were shrunk to 92%.'],
    ['cut off', 2000, {}, 'shrunk to 67%, and anything that still does not fit is cut off.'],
  ])('name the element and its position: %s', async (_what, width, options, end) => {
    const [warning, ...others] = (await warningsOf(table(width), { options })) ?? [];
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'content_too_wide', name: 'table.lines.wide', line: 2, column: 9 });
    expect(warning?.message).toContain(end);
  });

  const line = 'x'.repeat(300);

  it.each([
    ['pre', 'pre', `<pre>${line}</pre>`],
    ['a word', 'p', `<p>${line}</p>`],
    ['text in the body', 'body', line],
    [
      'an unbreakable line',
      'span',
      `<div><p>a <span style="white-space: nowrap">${'word '.repeat(60)}</span></p></div>`,
    ],
    ['a cell', 'td', `<table style="table-layout: fixed; width: 90px"><tr><td>${line}</table>`],
    ['a flex', 'b', `<div style="display: flex"><b style="min-width: 0; flex: 0 0 90px">${line}</b></div>`],
    ['a positioned box', 'p', `<p style="position: absolute; width: 90px">${line}</p>`],
    ['generated content', 'p', `<style>p::after { content: '${line}' }</style><p>x</p>`],
    ['a right-to-left page', 'p', `<html dir="rtl"><p>${line}</p>`],
    ['a box next to hidden text', 'p', `<div style="overflow: hidden">${line.repeat(2)}</div><p>${line}</p>`],
  ])('name the element whose text does not fit: %s', async (_what, name, html) => {
    for (const doctype of ['', '<!doctype html>']) {
      const mode = html.includes('rtl') ? 'test' : 'live';
      expect(summary(await warningsOf(doctype + html, { mode }))).toEqual([`content_too_wide ${name}`]);
    }
  });

  it('have no location if the tag occurs more than once', async () => {
    const [warning] = (await warningsOf(`${table(900)}${table(900)}`)) ?? [];
    expect(warning).not.toHaveProperty('line');
  });
});

it('Warnings about headers and footers name those that are cut off', async () => {
  const line = '<p>1</p>';
  const options = {
    header: { enabled: true, height: '40px', content: line, first: { content: line.repeat(4) } },
    footer: {
      enabled: true,
      content: `<div data-trifold-decoration="footer" style="height: 0">${line}</div>`,
    },
  };
  const [warning, ...others] = (await warningsOf('<p>x</p>', { options })) ?? [];
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: 'content_too_high', name: 'header.first', part: 'header.first' });
  expect(warning?.message).toMatch(
    /needs a height of 1\d\d px for its content, but has 40 px\. The rest is cut off\.$/,
  );
});

it('Warnings about a document that cannot conform list its other problems, each with its line', async () => {
  const image = `data:image/png;base64,${pngPixel()}`;
  const html = `<h1>A</h1>
    <h3>B</h3>
    <img class="c" src="${image}"><img class="d" src="${image}">
    <table class="e" border="1"><tr><th>1<th>2<tr><td>3<tr><td>4</table>
    <table class="f" border="1"><tr><td>1<td>2<tr><td>3</table>
    <p aria-hidden="true"><a class="g" href="https://a.b">5</a><a class="h" href="https://a.b">6</a></p>
    <p lang="a_b">7</p><p lang="c_d">8</p>
    <p class="i" style="filter: blur(1px)">9</p>`;
  const options = { conformance: 'a-2a+ua-1', properties: { title: 'T' } } as const;
  const outcome = await fixture.render({ html }, { options });
  if (outcome.status !== 'failed') return expect.fail();
  expect(outcome.failure.message).toMatch(/PDF\/UA-1: it has no language: /);
  const found = outcome.progress?.warnings?.map(({ code, name, line }) => [code, name, line]);
  expect(found).toEqual([
    ['conformance_broken', 'PDF/A-2a and PDF/UA-1', 7],
    ['conformance_broken', 'PDF/A-2a and PDF/UA-1', 7],
    ['conformance_broken', 'h3', 2],
    ['conformance_broken', 'img.c', 3],
    ['conformance_broken', 'img.d', 3],
    ['conformance_broken', 'table.e', 4],
    ['conformance_broken', 'table.f', 5],
    ['conformance_broken', 'a.g', 6],
    ['conformance_broken', 'a.h', 6],
    ['conformance_broken', 'p.i', 8],
    ['table_header_missing', 'table.f', 5],
  ]);
});

describe('Warnings about text cut off by its box', () => {
  const box = (style: string, content: string) => `<div class="to" style="${style}">${content}</div>`;
  const words = 'word '.repeat(60);

  it.each([
    ['content_too_high', 'height', 'overflow: hidden; height: 40px; width: 300px', words],
    ['content_too_high', 'height', 'overflow-y: clip; height: 9px', '<p>on an empty page</p>'],
    ['content_too_wide', 'width', 'overflow: hidden; white-space: nowrap; width: 200px', words],
    ['content_too_wide', 'width', 'overflow: hidden; white-space: pre; width: 9em; direction: rtl', words],
    ['content_too_wide', 'width', 'position: fixed; left: 300px; white-space: pre', words],
    ['content_too_wide', 'width', 'position: fixed; right: 0; left: 0', `<p style="width: 900px">${words}`],
  ])('include its position: %s', async (code, side, style, content) => {
    const [warning, ...others] = (await warningsOf(box(style, content), { mode: 'test' })) ?? [];
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code, name: 'div.to', part: 'html', line: 1, column: 1 });
    expect(warning?.message).toMatch(
      new RegExp(`^div\\.to needs a ${side} of \\d+ px for its content, but has`),
    );
  });

  it.each([
    ['fits', 'overflow: hidden; height: 240px', words],
    [
      'fits on paper',
      'overflow: hidden; height: 100vh',
      '<style>@page { size: a3 }</style><p style="height: 1100px">1</p>2',
    ],
    ['only touches the edge', 'overflow: hidden; font: 40px/0.9 serif; height: 36px', 'Ägypten'],
    ['ends with dots', 'overflow: hidden; white-space: nowrap; text-overflow: ellipsis', words.repeat(3)],
    ['is outside the page', 'position: fixed; left: -9999px', words],
    ['is for screen readers', 'position: absolute; overflow: hidden; width: 1px; height: 1px', words],
    [
      'is next to a drawing',
      'overflow: hidden; width: 90px',
      '<svg viewBox="0 0 9 9"></svg><p style="width: 2000px">1',
    ],
    ['is invisible', 'overflow: hidden; height: 20px', `1<p style="visibility: hidden">${words}</p>`],
    ['is a picture', 'overflow: hidden; height: 20px', '<div style="height: 60px; background: red"></div>'],
  ])('do not appear if it %s', async (_what, style, content) => {
    expect(await warningsOf(box(style, content), { mode: 'test' })).toEqual([]);
  });
});
