import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReaderBrowser } from '../testing/browser/reader-browser.ts';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import { preambleOf } from './self-contained-html.ts';

const CASES = 400;
const SEED = Number(process.env['TRIFOLD_TEST_SEED'] ?? 20_261_122);

/** Every code point that some program treats as white space, and characters with special treatment in parsers. */
const CHARACTERS = [
  ...Array.from(
    '\t\n\v\f\r \u0085\u00a0\u1680\u180e\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000' +
      '\u200b\u200d\u2060\ufeff\0\u0001\u001c\u001f\u007f\u0080\u009f\ufffd\ufffe\uffff',
  ),
  '\ufeff\ufeff',
  '\r\n',
  '\ud800',
  '\udc00',
  '\u{1f600}',
];
const COMMENTS = [
  '<!---->',
  '<!-->',
  '<!--->',
  '<!-- a -->',
  '<!-- a --!>',
  '<!-- a -- b -->',
  '<!--a--',
  '<!--a',
  '<!-',
  '<!--\0-->',
  '<!-- <!doctype html> -->',
  '<!--><!-->',
  '<!--<!-->',
  '<!-- > -->',
  '<!----!>',
  '<!--a--!',
  '<!',
  '<!>',
  '<!x>',
  '<!x',
  '<!\0>',
  '<![CDATA[x]]>',
  '<![CDATA[',
  '<!element x>',
  '<!-a->',
  '<?xml version="1.0"?>',
  '<?php x ?>',
  '<?',
  '<?>',
  '<? a="',
  '</ x>',
  '</>',
  '</',
  '</\0>',
  '<\u00a0>',
];
const DOCTYPES = [
  '<!doctype html>',
  '<!DOCTYPE HTML>',
  '<!DocType\thtml\n>',
  '<!doctypehtml>',
  '<!doctype>',
  '<!doctype >',
  '<!doctype\u00a0html>',
  '<!doctype html\u00a0>',
  '<!doctype\u000bhtml>',
  '<!doctype html\u000b>',
  '<!doctype x>',
  '<!doctype html',
  '<!doctype html "',
  "<!doctype html '>",
  '<!doctype html x>',
  '<!doctype html --',
  '<!doctyp>',
  '<!doctype html\0>',
  '<!doc\0type html>',
  '<!doctype ht\0ml>',
  '<!doctype\0html>',
  '<!doctype html public>',
  '<!doctype html system "about:legacy-compat">',
  '<!doctype html system>',
  '<!doctype html public "">',
  '<!doctype html system "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">',
  '<!doctype html public"a"b">',
  ...[
    '-//W3C//DTD XHTML 1.0 Transitional//EN',
    '-//W3C//DTD XHTML 1.0 Strict//EN',
    '-//W3C//DTD HTML 4.01//EN',
  ].flatMap((id) => [`<!doctype html public "${id}">`, `<!DOCTYPE html PUBLIC '${id}' 'x'>`]),
  ...[
    '-//W3C//DTD HTML 4.01 Transitional//EN',
    '-//W3C//DTD HTML 3.2 Final//EN',
    'HTML',
    '-//w3c//dtd html 4.0//',
  ].flatMap((id) => [
    `<!doctype html public "${id}">`,
    `<!doctype html public "${id}" "">`,
    `<!doctype html public "${id}"system>`,
  ]),
];
const ATTRIBUTES = [
  ' lang="de"',
  " lang='de'",
  ' lang=de',
  ' lang',
  '\u00a0lang',
  '\u000blang',
  '/',
  '/ x',
  ' a=">',
  " a='>",
  ' a=>',
  ' "',
  " '",
  ' =',
  ' a="<head>"',
  ' a="b"c',
  ' a=`>`',
  ' <',
  ' a=\0',
  '\0',
  ' manifest=x',
  ' onload=1',
  '\ufeff',
];
const TAGS = [
  'html',
  'head',
  'body',
  'HTML',
  'Head',
  'htm\0l',
  'p',
  'title',
  'base',
  'template',
  'frameset',
  'svg',
  'math',
  'select',
  'table',
  'noscript',
  'style',
  'script',
  'textarea',
  'plaintext',
  'iframe',
  'xmp',
  'form',
  'meta',
  'link',
];
const END_TAGS = [
  '</head>',
  '</html>',
  '</body>',
  '</p>',
  '</br>',
  '</title>',
  '</style>',
  '</script>',
  '</meta>',
  '</template>',
  '</head\u00a0>',
  '</noscript>',
  '</svg>',
  '</x y="',
  '</head/>',
];

function beginnings(count: number): string[] {
  const next = randomFrom(SEED);
  const one = (of: readonly string[]) => of[Math.floor(next() * of.length)] ?? '';
  const tag = () => {
    const attributes = Array.from({ length: Math.floor(next() * 3) }, () => one(ATTRIBUTES)).join('');
    return `<${one(TAGS)}${attributes}${next() < 0.9 ? '>' : ''}`;
  };
  const parts = [
    () => one(CHARACTERS),
    () => one(COMMENTS),
    () => one(DOCTYPES),
    tag,
    () => one(END_TAGS),
    () => one(['text', '&nbsp;', '&#0;', '&#xfeff;', '{{x}}', '<', '<3', ']]>', '-->', '">', "'>"]),
  ];
  // The content before a doctype matters most.
  const weights = [4, 3, 4, 2, 1, 0.5];
  const part = () => {
    let left = next() * weights.reduce((sum, weight) => sum + weight);
    const at = weights.findIndex((weight) => (left -= weight) < 0);
    return parts[at]?.() ?? '';
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(next() * 5) }, part).join(''),
  );
}

/** Beginnings after which parsers differ. */
const KNOWN = [
  '\u00a0<!doctype html><html><head>',
  '\u000b<!doctype html><html><head>',
  '\ufeff\ufeff<!doctype html><html><head>',
  '<!doctype html>\u00a0<html><head>',
  '<!doctype html>\u2028<html><head>',
  '<!doctype html><html>\u00a0<head>',
  '<!doctype html><html>\u000b<head>',
  '<!doctype html><html\u00a0lang><head>',
  '<!doctype html><html a="><head>"><head>',
  '<!--><script>window.ran = true</script><!-- --><!doctype html>',
  '<!-- <!doctype html>',
  '<frameset>',
  '<template>',
];

const fileOf = (html: string) => preambleOf(html, { title: 'Letter' }) + html;

describe(`HTML files with beginnings of any kind (TRIFOLD_TEST_SEED=${SEED})`, { timeout: 600_000 }, () => {
  let reader: ReaderBrowser;
  beforeAll(async () => {
    reader = await ReaderBrowser.launch();
  });
  afterAll(() => reader.stop());
  const all = [...KNOWN, ...beginnings(CASES)];

  it('run no script and send no request', async () => {
    const wrong: string[] = [];
    for (const beginning of all) {
      const before = reader.listener.seen.length;
      const { ranScript } = await reader.open(fileOf(beginning + reader.hostileContent));
      const seen = reader.listener.seen.slice(before);
      if (ranScript || seen.length > 0) wrong.push(JSON.stringify({ beginning, ranScript, seen }));
    }
    expect(wrong).toEqual([]);
  });

  it('run scripts and send requests when they have no policy', async () => {
    let ran = 0;
    const before = reader.listener.seen.length;
    for (const beginning of all.slice(0, 40)) {
      const { ranScript } = await reader.open(beginning + reader.hostileContent);
      if (ranScript) ran += 1;
    }
    expect(ran).toBeGreaterThan(20);
    expect(reader.listener.seen.length - before).toBeGreaterThan(40);
  });

  it('keep the attributes of their html and body tags', async () => {
    const html =
      '<!doctype html><html lang="de" id="line"><head></head><body class="a"><style>.a{height:7px}#line{height:9px}</style>';
    expect(await reader.open(fileOf(html))).toMatchObject({ line: 9 });
  });

  it('use the same rendering mode as the printed document', async () => {
    const wrong: string[] = [];
    for (const beginning of all) {
      const html = beginning + ReaderBrowser.measuredContent;
      const [printed, opened] = [await reader.print(html), await reader.open(fileOf(html))];
      // Readers have scripts enabled and do not see content for browsers without them.
      const isSame = printed.line === opened.line || beginning.includes('<noscript');
      if (printed.mode === opened.mode && isSame) continue;
      wrong.push(JSON.stringify({ beginning, printed, opened }));
    }
    expect(wrong).toEqual([]);
  });
});
