import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchTestBrowser, openPage } from '../testing/test-browser.ts';
import type { BrowserProcess } from './browser-process.ts';
import { needsFreshDocument } from './residue.ts';
import { WARM_UP_SETTINGS } from './warm-up.ts';

/** Documents that would show what another left on the page. */
const WITNESSES = {
  plain: `<!doctype html><title>t</title><style title="zz">h1 { color: red }</style><h1>hi</h1>
    <p style="font-size:2em">x <a href="rel">l</a><q>quote</q>
    <div style="color:canvastext;background:canvas">c</div>
    <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20>`,
  untitled: '<h1>hi</h1><table><tr><td>x</table><p style="width:100">y',
  media: `<!doctype html><style>@media (prefers-color-scheme: dark) { h1 { color: lime } }
    @media (max-width: 600px) { h1 { font-size: 80px } } h1 { font-family: X, serif; counter-increment: c }
    h1:before { content: counter(c) } :target { color: red }</style>
    <h1 id=t>hi</h1><p id=p>x<svg width=50 height=50><rect width=50 height=50 fill="url(#g)"/></svg>`,
  language: `<!doctype html><style>p { hyphens: auto; width: 80px } :lang(de) { color: red } q { quotes: auto }</style>
    <p>internationalization <q>quoted</q> 骨`,
};

/** Documents that try to leave something. */
const LITTERERS = {
  'text and a title': '<title>secret</title><p>secret',
  'no doctype': '<table><tr><td>quirky',
  'a titled stylesheet': `<style title="aa">h1 { display: none }</style>
    <link rel="alternate stylesheet" title="bb" href="data:text/css,h1{display:none}">`,
  'a titled link': '<link rel=stylesheet title=aa href="data:text/css,p{display:none}">',
  'a base': '<base href="http://elsewhere.example/"><base target=x>',
  'a language': '<html lang=de dir=rtl><body>',
  'colours of the body': '<body bgcolor=red text=lime link=blue>',
  'the colour of links': '<body link=lime>',
  'rules for everything': `<style>@page { size: a5 landscape; margin: 5cm }
    :root { color-scheme: dark; font-size: 40px } * { color: red !important }
    @font-face { font-family: X; src: local("DejaVu Sans Mono") }
    @property --v { syntax: "<color>"; inherits: true; initial-value: red }
    @counter-style z { system: cyclic; symbols: x } @keyframes k { to { opacity: 0 } }
    h1 { animation: k 1s infinite } html { zoom: 3; writing-mode: vertical-rl }</style><h1>x`,
  'frames and dialogs': `<iframe srcdoc="<h1>x"></iframe><dialog open>dd</dialog><details open>x</details>
    <object data="data:text/html,x"></object>`,
  'drawings that move': `<svg><defs><linearGradient id=g><stop stop-color=red></linearGradient></defs>
    <animate attributeName=x from=0 to=100 dur=1s repeatCount=indefinite /></svg>`,
  'forms and names':
    '<div id=t><div id=p><form id=f><input name=n value=typed autofocus></form><a name=top></a>',
  'a frameset': '<frameset cols=50%,50%><frame src="data:text/html,x"><frame src="about:blank"></frameset>',
  'a viewport': '<meta name="viewport" content="width=300, initial-scale=3">',
  'an encoding': '<meta charset="koi8-r">',
  'another encoding': '<meta http-equiv="content-type" content="text/html; charset=koi8-r">',
  'a security policy': `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`,
  'a default language': '<meta http-equiv="content-language" content="de">',
  'a colour scheme': '<meta name="color-scheme" content="dark">',
  'a default style':
    '<meta http-equiv="default-style" content="qq"><style title=qq>h1 { color: blue }</style>',
  'a referrer policy': '<meta name="referrer" content="no-referrer"><meta name="theme-color" content="#f00">',
  'other policies': `<meta http-equiv="x-dns-prefetch-control" content="on"><meta http-equiv=origin-trial content=x>`,
  'a refresh later': '<meta http-equiv="refresh" content="60;url=about:blank">',
  'a refresh at once': '<meta http-equiv="refresh" content="0;url=http://elsewhere.example/">',
  'media and maths': `<video autoplay src="data:video/mp4;base64,AAAA"></video><canvas></canvas><math><mi>x</mi></math>
    <template><h1>x</h1></template><marquee>m</marquee><h1 popover>x`,
};

let browser: BrowserProcess;
const expected = new Map<string, string>();

/** A file without its dates. */
const normalized = (pdf: Buffer) => pdf.toString('latin1').replaceAll(/\(D:\d+[^)]*\)/g, '()');

beforeAll(async () => {
  browser = await launchTestBrowser();
  for (const [name, html] of Object.entries(WITNESSES)) {
    const page = await openPage(browser);
    expected.set(name, normalized(await page.print(html, WARM_UP_SETTINGS)));
    await page.close();
  }
});
afterAll(() => browser.stop());

describe.each(['blanked', 'only replaced'])('after a document that was %s, nothing remains of', (way) => {
  it.each(Object.entries(LITTERERS))('%s', async (_, litter) => {
    const page = await openPage(browser);
    for (const [name, witness] of Object.entries(WITNESSES)) {
      await page.print(litter, WARM_UP_SETTINGS);
      if (way === 'blanked' || page.stained) await page.blank();
      const file = normalized(await page.print(witness, WARM_UP_SETTINGS));
      // Compared before it is asserted: a difference of two files tells nobody anything.
      expect(file === expected.get(name), `a difference in "${name}"`).toBe(true);
    }
    await page.close();
  });
});

describe('a page is given a new document', () => {
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
  ])('after %s', (html) => {
    expect(needsFreshDocument(html)).toBe(true);
  });

  it.each([
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title></head><body class="text">',
    '<meta charset=utf-8 /><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<style>.title { color: red }</style><link rel="stylesheet" href="data:text/css,">',
    '<metadata><body-part text=x><p title="x">',
  ])('but not after %s', (html) => {
    expect(needsFreshDocument(html)).toBe(false);
  });
});

it('looks through a tag of twenty megabytes that is never closed', () => {
  expect(needsFreshDocument(`<meta ${'a'.repeat(20 * 2 ** 20)}`)).toBe(true);
});
