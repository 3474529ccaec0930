import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../browser/process/browser.ts';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { readPng } from '../testing/files/read-png.ts';
import { launchPictureBrowser, openPage } from '../testing/browser/test-browser.ts';
import { preambleOf, type SelfContainedOptions } from './self-contained-html.ts';

const live = { title: 'Letter' };
const test = { title: 'Letter', watermark: 'TEST' } as const;
const VIEW = { width: 400, height: 300, deviceScale: 1, fullPage: false };

const fileOf = (html: string, options: SelfContainedOptions) => preambleOf(html, options) + html;

describe('a document as an HTML file', () => {
  it('starts with its encoding and its network policy, followed by the merged document', () => {
    const html =
      '<!doctype html>\n<html lang="de">\n<head>\n<title>A</title></head><body><script>x()</script><p>ü';
    expect(preambleOf(html, live)).toMatch(
      /^<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none';[^"]*">\n$/,
    );
  });

  it.each([
    ['has none', '<!doctype html><html><head></head><body>x', ['<title>Letter &lt; 1 &amp; 2</title>']],
    ['has one', '<!doctype html><html><head><title>Own</title></head><body>x', null],
    ['has one with attributes', '<TITLE\nlang="de">Own</TITLE>', null],
  ])('gets a title if the template %s', (_name, html, title) => {
    const preamble = preambleOf(html, { ...live, title: 'Letter < 1 & 2' });
    expect(preamble.match(/<title>.*?<\/title>/g)).toEqual(title);
  });

  it.each([
    ['a doctype', '<!doctype html>', '<!doctype html>'],
    ['white space before it', ' \r\n\t\f<!-- a -- b --><!--><?x?><!DOCTYPE html>', '<!doctype html>'],
    ['very many comments', `${'<!--a-->'.repeat(100_000)}<!doctype html>`, '<!doctype html>'],
    ['no doctype', '<p>x', '<meta charset'],
    ['a doctype after text', 'x<!doctype html>', '<meta charset'],
    ['nothing', '', '<meta charset'],
  ])('keeps the rendering mode of a document that has %s', (_name, html, beginning) => {
    expect(preambleOf(html, live).slice(0, beginning.length)).toBe(beginning);
  });
});

describe('an HTML file in a browser', () => {
  let browser: Browser;
  let page: DocumentPage;
  beforeAll(async () => {
    browser = await launchPictureBrowser();
    page = await openPage(browser);
  });
  afterAll(() => browser.stop());
  const show = async (html: string) => readPng((await page.capture(html, VIEW)).file);

  it('looks like the document', async () => {
    const html =
      '<!doctype html><html><head><style>body{background:#0a0;margin:0}</style></head><body>' +
      `<img width="50" height="50" src="data:image/svg+xml,%3csvg xmlns='http://www.w3.org/2000/svg'%3e%3crect width='50' height='50' fill='red'/%3e%3c/svg%3e">`;
    const picture = await show(fileOf(html, live));
    expect([picture.at(25, 25), picture.at(200, 200)]).toEqual([
      [255, 0, 0],
      [0, 170, 0],
    ]);
  });

  it('shows the test key watermark on top of everything', async () => {
    const html =
      '<!doctype html><html><head></head><body><div style="position:fixed;inset:0;z-index:999;background:#fff"></div>';
    const picture = await show(fileOf(html, test));
    let red = 0;
    for (let x = 0; x < 400; x += 1) {
      for (let y = 0; y < 300; y += 1) {
        const [r, g, b] = picture.at(x, y);
        if (r > 150 && g < 160 && b < 160) red += 1;
      }
    }
    expect(picture.at(398, 298)).toEqual([191, 26, 26]);
    expect(red).toBeGreaterThan(1500);
    expect((await show(fileOf(html, live))).at(398, 298)).toEqual([255, 255, 255]);
  });
});

it('the policy matches the documentation', () => {
  const docs = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');
  const policy = /content="(default-src[^"]+)"/.exec(preambleOf('', live))?.[1];
  expect(docs).toContain(policy);
});
