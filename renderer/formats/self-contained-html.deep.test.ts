import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReaderBrowser } from '../testing/browser/reader-browser.ts';
import { preambleOf } from './self-contained-html.ts';

/** Document starts that parsers read differently, or that determine the rendering mode. */
const BEGINNINGS = [
  '\u00a0<!doctype html><html><head>',
  '\u000b<!doctype html><html><head>',
  '\ufeff\ufeff<!doctype html><html><head>',
  '\0<!doctype html>',
  '<!doctype html>\u00a0<html><head>',
  '<!doctype html>\u2028<html><head>',
  '<!doctype html><html>\u00a0<head>',
  '<!doctype html><html>\u000b<head>',
  '<!doctype html><html\u00a0lang><head>',
  '<!doctype html><html a="><head>"><head>',
  '<!--><script>window.ran = true</script><!-- --><!doctype html>',
  '<!-- <!doctype html>',
  '<!--a--!><!doctype html>',
  '<!-a-><!doctype html>',
  '<![CDATA[x]]><!doctype html>',
  '<?xml version="1.0"?><!doctype html>',
  '</><!doctype html>',
  '</p><!doctype html>',
  '<!doctypehtml>',
  '<!doctype>',
  '<!doctype\u00a0html>',
  '<!doctype html\0>',
  '<!doctype html "',
  '<!doctype html public "a"b">',
  '<!doctype html system "about:legacy-compat">',
  '<!doctype html system "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">',
  '<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN">',
  '<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN" "">',
  '<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN"system>',
  '<!doctype html public "-//W3C//DTD HTML 3.2 Final//EN">',
  '<frameset>',
  '<template>',
];

const fileOf = (html: string) => preambleOf(html, { title: 'Letter' }) + html;

describe('HTML files that start in any way', { timeout: 600_000 }, () => {
  let reader: ReaderBrowser;
  beforeAll(async () => {
    reader = await ReaderBrowser.launch();
  });
  afterAll(() => reader.stop());

  it('do not run scripts or send requests', async () => {
    const wrong: string[] = [];
    for (const beginning of BEGINNINGS) {
      const before = reader.listener.seen.length;
      const { ranScript } = await reader.open(fileOf(beginning + reader.hostileContent));
      const seen = reader.listener.seen.slice(before);
      if (ranScript || seen.length > 0) wrong.push(JSON.stringify({ beginning, ranScript, seen }));
    }
    expect(wrong).toEqual([]);
  });

  it('run scripts and send requests if they have no policy', async () => {
    let ran = 0;
    const before = reader.listener.seen.length;
    for (const beginning of BEGINNINGS) {
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
    for (const beginning of BEGINNINGS) {
      const html = beginning + ReaderBrowser.measuredContent;
      const [printed, opened] = [await reader.print(html), await reader.open(fileOf(html))];
      if (printed.mode === opened.mode && printed.line === opened.line) continue;
      wrong.push(JSON.stringify({ beginning, printed, opened }));
    }
    expect(wrong).toEqual([]);
  });
});
