import { readFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserProcess } from '../browser/browser-process.ts';
import type { DocumentPage } from '../browser/document-page.ts';
import { readPng } from '../testing/read-png.ts';
import { launchPictureBrowser, openPage } from '../testing/test-browser.ts';
import { selfContained } from './self-contained-html.ts';

const live = { title: 'Letter', watermark: false };
const test = { title: 'Letter', watermark: true };
const VIEW = { width: 400, height: 300, deviceScale: 1, fullPage: false };

const tagsOf = (html: string) => {
  const tags: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => tags.push(name === 'meta' ? Object.values(attributes)[0]! : name),
  });
  parser.end(html);
  return tags;
};

describe('a document as an HTML file', () => {
  it('begins, in its head, with its encoding and with what shuts it off from the network', () => {
    const html =
      '<!doctype html>\n<html lang="de">\n<head>\n<title>A</title></head><body><p>ü</p></body></html>';
    const file = selfContained(html, live);
    expect(tagsOf(file)).toEqual(['html', 'head', 'utf-8', 'Content-Security-Policy', 'title', 'body', 'p']);
    expect(file).toContain('<html lang="de">');
    expect(file).toContain("default-src 'none'");
    expect(file.startsWith('<!doctype html>')).toBe(true);
  });

  it('keeps its doctype where comments stand before it', () => {
    const file = selfContained('<!-- Acme -->\n<!-- a -- b --><!doctype html><p>x', live);
    expect(file.startsWith('<!-- Acme -->\n<!-- a -- b --><!doctype html>\n<meta charset')).toBe(true);
  });

  it('is otherwise what was merged', () => {
    const html =
      '<!doctype html><html><head><title>A</title></head><body><script>x()</script><p>1 &lt; 2</p>';
    const file = selfContained(html, live);
    const added = file.indexOf('<title>A');
    expect(file.slice(added)).toBe(html.slice(html.indexOf('<title>A')));
  });

  it.each([
    ['has none', '<!doctype html><html><head></head><body>x', '<title>Letter &lt; 1 &amp; 2</title>'],
    ['has one', '<!doctype html><html><head><title>Own</title></head><body>x', '<title>Own</title>'],
  ])('has a title when the template %s', (_name, html, title) => {
    const file = selfContained(html, { ...live, title: 'Letter < 1 & 2' });
    expect(file.match(/<title>.*?<\/title>/g)).toEqual([title]);
  });

  it.each([
    ['a tag that hides what follows', '<!doctype html><html a="><head>"><head><script>x()</script></head>'],
    ['script before the head', '<!doctype html><script>x()</script><html><head></head><body>'],
    ['no doctype', '<script>x()</script><p>x'],
    ['a comment first', '<!-- <!doctype html><html><head> --><script>x()</script>'],
    ['a comment that ends at once', '<!--><script>x()</script><!-- --><!doctype html>'],
    ['another one', '<!---><script>x()</script><!-- --><!doctype html>'],
    ['a comment that ends otherwise', '<!-- --!><script>x()</script><!-- --><!doctype html>'],
    ['a comment without an end', '<!-- <!doctype html><script>x()</script>'],
    ['nothing of html', 'Hello'],
  ])('is shut off before anything else of it is read: %s', (_name, html) => {
    const tags = tagsOf(selfContained(html, live));
    expect(tags.slice(0, tags.indexOf('Content-Security-Policy'))).not.toContain('script');
    expect(tags.indexOf('Content-Security-Policy')).toBeLessThanOrEqual(3);
  });
});

describe('an HTML file that a browser opens', () => {
  let browser: BrowserProcess;
  let page: DocumentPage;
  beforeAll(async () => {
    browser = await launchPictureBrowser();
    page = await openPage(browser);
  });
  afterAll(() => browser.stop());
  const show = async (html: string) => readPng((await page.capture(html, VIEW)).png);

  it('looks as the document does', async () => {
    const html =
      '<!doctype html><html><head><style>body{background:#0a0;margin:0}</style></head><body>' +
      `<img width="50" height="50" src="data:image/svg+xml,%3csvg xmlns='http://www.w3.org/2000/svg'%3e%3crect width='50' height='50' fill='red'/%3e%3c/svg%3e">`;
    const picture = await show(selfContained(html, live));
    expect([picture.at(25, 25), picture.at(200, 200)]).toEqual([
      [255, 0, 0],
      [0, 170, 0],
    ]);
  });

  it('shows the watermark of a test key over everything', async () => {
    const html =
      '<!doctype html><html><head></head><body><div style="position:fixed;inset:0;z-index:999;background:#fff"></div>';
    const picture = await show(selfContained(html, test));
    let red = 0;
    for (let x = 0; x < 400; x += 1) {
      for (let y = 0; y < 300; y += 1) {
        const [r, g, b] = picture.at(x, y);
        if (r > 150 && g < 160 && b < 160) red += 1;
      }
    }
    expect(picture.at(398, 298)).toEqual([191, 26, 26]);
    expect(red).toBeGreaterThan(1500);
    expect((await show(selfContained(html, live))).at(398, 298)).toEqual([255, 255, 255]);
  });
});

it('the policy is the one that the docs tell', () => {
  const docs = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');
  const policy = /content="(default-src[^"]+)"/.exec(selfContained('', live))?.[1];
  expect(docs).toContain(policy);
});
