import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchPictureBrowser, openPage, sharedBrowser } from '../../testing/browser/test-browser.ts';
import type { Browser } from '../process/browser.ts';
import { LITTERERS, WITNESSES } from './testing/litter.ts';
import { mayNavigate, readingMode } from './page-reuse.ts';
import { WARM_UP_SETTINGS } from '../pool/browser-slot.ts';

let browser: Browser;
const expected = new Map<string, string>();

/** A file without its dates. */
const normalized = (pdf: Buffer) => pdf.toString('latin1').replaceAll(/\(D:\d+[^)]*\)/g, '()');

beforeAll(async () => {
  browser = await sharedBrowser();
  for (const [name, html] of Object.entries(WITNESSES)) {
    const page = await openPage(browser);
    expected.set(name, normalized(await page.print(html, WARM_UP_SETTINGS)));
    await page.close();
  }
});

describe.each(['blanked', 'only replaced'])('a page after a document that was %s', (way) => {
  it.each(Object.entries(LITTERERS))('shows no trace of %s', async (_, litter) => {
    const page = await openPage(browser);
    for (const [name, witness] of Object.entries(WITNESSES)) {
      await page.print(litter, WARM_UP_SETTINGS);
      if (way === 'blanked' || page.needsNewDocument) await page.blank();
      const file = normalized(await page.print(witness, WARM_UP_SETTINGS));
      // Compares before the assertion, because a diff of two files is useless.
      expect(file === expected.get(name), `a difference in "${name}"`).toBe(true);
    }
    await page.close();
  });
});

/** Hides the following tag from a parser that looks for quoted attributes. */
const BLIND = '<style x"></style>';
const HIDDEN_POLICY = `${BLIND}<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;

it('a hidden content security policy does not change the next document', async () => {
  const page = await openPage(browser);
  await page.print(`<!doctype html>${HIDDEN_POLICY}`, WARM_UP_SETTINGS);
  const file = normalized(await page.print(WITNESSES.plain, WARM_UP_SETTINGS));
  expect(file === expected.get('plain')).toBe(true);
  await page.close();
});

it('a page that showed a hidden refresh is not used again', async () => {
  const page = await openPage(browser);
  const refresh = '<meta http-equiv="refresh" content="60;url=about:blank">';
  await page.print(`<!doctype html>${BLIND}${refresh}`, WARM_UP_SETTINGS);
  expect(page.usable).toBe(false);
  await page.close();
});

describe('a page with the same attributes as the previous document', () => {
  const CELL = '<p class="Wide" style="width: 100; background: red">text';
  const RULE = '<style>.wide { color: blue }</style>';
  const documents = {
    'standards mode': `<!doctype html>${RULE}${CELL}`,
    'quirks mode': `${RULE}${CELL}`,
    'a content security policy': `<!doctype html><meta http-equiv="Content-Security-Policy" content="style-src 'none'">${CELL}`,
  };
  const pairs = Object.entries(documents).flatMap(([first, before]) =>
    Object.entries(documents).map(([second, after]) => ({ first, second, before, after })),
  );
  it.each(pairs)('evaluates the attributes again in $second after $first', async ({ before, after }) => {
    const own = await openPage(browser);
    const alone = normalized(await own.print(after, WARM_UP_SETTINGS));
    await own.close();
    const page = await openPage(browser);
    await page.print(before, WARM_UP_SETTINGS);
    expect(normalized(await page.print(after, WARM_UP_SETTINGS)) === alone).toBe(true);
    await page.close();
  });

  it('evaluates the attributes again when a base element changes their URLs', async () => {
    const urls: string[] = [];
    const get = (url: string) => {
      urls.push(url);
      return Promise.resolve('failed' as const);
    };
    const page = await openPage(browser, { scripts: false, resources: () => get });
    for (const folder of ['a', 'b']) {
      const html = `<!doctype html><base href="http://host.example/${folder}/"><p style="background: url(x.png)">x`;
      await page.print(html, WARM_UP_SETTINGS);
    }
    expect(urls).toEqual(['http://host.example/a/x.png', 'http://host.example/b/x.png']);
    await page.close();
  });
});

it('every capture shows the focus', async () => {
  const drawing = await launchPictureBrowser();
  try {
    const page = await openPage(drawing);
    const settings = { width: 300, height: 200, deviceScale: 1, fullPage: false };
    const html = '<!doctype html><style>:focus { background: red }</style><input autofocus>';
    const first = await page.capture(html, settings);
    expect((await page.capture(html, settings)).file.equals(first.file)).toBe(true);
  } finally {
    await drawing.stop();
  }
});

describe('readingMode', () => {
  it.each([
    `<META HTTP-EQUIV=refresh CONTENT=5>`,
    '<meta content="dark" name="color-scheme">',
    `<meta name="author" content=">" http-equiv="refresh">`,
    `<meta name="author" content="a" http-equiv="refresh" content="5">`,
    '<meta/charset=utf-8>',
    '<meta name=viewport',
    `<style media='>' title=x>`,
    '<link rel=stylesheet title="x">',
    '<body vlink=red>',
    `${BLIND}<p>`,
    HIDDEN_POLICY,
    '<meta name="author" name="referrer" content="no-referrer">',
    '<meta name="author"\u00A0content="a">',
    '<meta name=author/content=a>',
    '<meta name="author" content="<">',
    '<!-- <style title="x"> -->',
    '<base href="http://host.example/">',
    '<input autofocus>',
    '<!-- --><!doctype html>',
    '<!doctype html SYSTEM "x">',
    // Too long to check.
    `<meta ${'a'.repeat(20 * 2 ** 20)}`,
    `<meta name="author" content="${'a'.repeat(200_000)}">`,
    '<meta charset="utf-8">'.repeat(2000),
    'a'.repeat(5 * 2 ** 20),
  ])('is undefined for %.80s', (html) => {
    expect(readingMode(html)).toBeUndefined();
  });

  it.each([
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title></head><body class="text">',
    '<meta charset=utf-8 /><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<style>.title { color: red }</style><link rel="stylesheet" href="data:text/css,">',
    '<metadata><body-part text=x><p title="x">',
    `<META content='a > b' NAME=author><meta property="og:title" content="&lt;"><meta charset="utf-8"/>`,
    '<meta http-equiv="X-UA-Compatible" content="IE=edge"><meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="data:image/png;base64,${'A'.repeat(50_000)}">`,
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
  ])('is defined for %s', (html) => {
    expect(readingMode(html)).toBeDefined();
  });
});

it.each([
  ['<!doctype html>', 'standards'],
  [' \n<!DOCTYPE HTML>', 'standards'],
  ['<p>', 'quirks'],
  ['text', 'quirks'],
  ['<!-- x --><p>', undefined],
  ['\uFEFF<p>', undefined],
])('readingMode of %j is %s', (html, mode) => {
  expect(readingMode(html)).toBe(mode);
});

describe('mayNavigate', () => {
  it.each([
    '<meta http-equiv=refresh content=5>',
    `${BLIND}<META content='0;url=x' HTTP-EQUIV="Refresh">`,
    '<style x"></style><meta http-equiv="&#114;efresh" content="0">',
    '<meta http-equiv\n=\t"refresh" content="0">',
    '<meta/http-equiv=refresh/content=0>',
    `<meta x='<meta name="a">' http-equiv='refresh'content=0>`,
    `<meta x="${'a'.repeat(200)}" http-equiv=refresh content=0>`,
  ])('is true for %s', (html) => {
    expect(mayNavigate(html)).toBe(true);
  });

  it.each([
    '<meta charset="utf-8"><p>Use &lt;meta http-equiv="refresh"> to move on.',
    '<meta http-equiv="X-UA-Compatible" content="IE=edge"><meta http-equiv="Content-Language" content="de">',
    '<meta/name=x content="a"><meta x"><meta http-equiv=Pragma content=no-cache>',
    '<meta name="referrer" content="origin"><pre>http-equiv=refresh</pre>',
  ])('is false for %s', (html) => {
    expect(mayNavigate(html)).toBe(false);
  });
});

it('19 of 20 third-party templates print without creating a new document', () => {
  const file = readFileSync(new URL('testing/third-party-templates.json', import.meta.url), 'utf8');
  const packages = JSON.parse(file) as { package: string; templates: { file: string; html: string[] }[] }[];
  const templates = packages.flatMap(({ package: name, templates: own }) =>
    own.map(({ file: path, html }) => ({ path: `${name}/${path}`, html: html.join('\n') })),
  );
  expect(templates.length).toBeGreaterThanOrEqual(50);
  const fresh = templates.filter(({ html }) => readingMode(html) === undefined).map(({ path }) => path);
  expect(fresh.length, fresh.join(', ')).toBeLessThanOrEqual(templates.length / 20);
  expect(templates.filter(({ html }) => mayNavigate(html))).toEqual([]);
});
