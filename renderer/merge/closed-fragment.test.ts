import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReaderBrowser } from '../testing/browser/reader-browser.ts';
import { closedFragment, DEEPEST_ELEMENT } from './closed-fragment.ts';

/** Fragments with open elements, and their closing tags. */
const OPEN = [
  ['<p>Page', '</p>'],
  ['<div><b>Page', '</b></div>'],
  ['<table><tr><td>Page', '</td></tr></tbody></table>'],
  ['<ul><li>a<li>b', '</li></ul>'],
  ['<p>a<p>b', '</p>'],
  ['<a href=x>X<br>', '</a>'],
  ['<div>a</span>', '</div>'],
  ['<style>p { color: red }', '</style>'],
  ['<div><textarea>x', '</textarea></div>'],
  ['<title>x', '</title>'],
  ['<b>x</b><!-- y', '-->'],
  ['<p title="x', '"></p>'],
  ["<p title='x", "'></p>"],
  ['<p class', '></p>'],
  ['<p', '></p>'],
  ['<b><p>x</b>', '</p>'],
  ['<p><b>x</p>', '</b>'],
  ['<p><b>x</p><table><tr><td><i>y', '</i></td></tr></tbody></table></b>'],
  ['<select><option>x', '</option></select>'],
  ['<template><b>x', '</b></template>'],
  ['<svg><foreignObject><p>x', '</p></foreignObject></svg>'],
  ['<svg><style>x', '</style></svg>'],
  ['<svg><![CDATA[x', ']]></svg>'],
  ['<script><!--<script>', '--></script>'],
  ['x<?php', '>'],
  ['x<!', '>'],
] as const;

describe('closedFragment', () => {
  it.each([
    'Page 1 of 2',
    '<p>Page</p><img src="x"><br><hr>',
    '<ul><li>a<li>b</ul><table><tr><td>x</table>',
    '<style>p > b { color: red }</style><b>x</b>',
    '<!-- a --><svg><path d="M0 0"/></svg>',
    '1 < 2 & 3',
    '</div></p>',
    '',
  ])('returns HTML without open elements unchanged: %s', (html) => expect(closedFragment(html)).toBe(html));

  it.each(OPEN)('closes open elements: %s', (html, end) => expect(closedFragment(html)).toBe(html + end));

  it('returns HTML that cannot be closed unchanged', () => {
    expect(closedFragment('x<plaintext>')).toBe('x<plaintext>');
  });

  it('limits the nesting depth of elements', () => {
    const deep = '<i>'.repeat(DEEPEST_ELEMENT);
    expect(closedFragment(deep)).toBe(deep + '</i>'.repeat(DEEPEST_ELEMENT));
    const tooDeep = expect.objectContaining({
      code: 'merge_failed',
      message: 'its elements are nested deeper than 100 levels',
    }) as Error;
    expect(() => closedFragment(`${deep}<i>`)).toThrow(tooDeep);
    expect(() => closedFragment(`${'<b>'.repeat(200_000)}${'</i>'.repeat(200_000)}`)).toThrow(tooDeep);
  });

  it.each([
    '</i>',
    '<br x=1>',
    '<b></b>',
    '<p>x',
    '<a><p>',
    '<!--',
    '<!-- -->',
    '<p a="',
    '<table>x</table>',
    '<svg></svg>',
    '&amp',
    '<b><p></b>x</p>',
  ])('parses quickly with 30,000 repetitions of %s', (part) => {
    const html = '<b>'.repeat(90) + part.repeat(30_000);
    expect(closedFragment(html).slice(0, html.length)).toBe(html);
  });
});

describe('Chromium', () => {
  let browser: ReaderBrowser;
  beforeAll(async () => {
    browser = await ReaderBrowser.launch();
  });
  afterAll(() => browser.stop());

  it.each(OPEN)('places content that follows a closed fragment outside of it: %s', async (fragment) => {
    const box = `<trifold-box>${closedFragment(fragment)}</trifold-box>`;
    const html = `<!doctype html><body>${box}<u id="behind">x</u>`;
    const parent = `document.getElementById('behind')?.parentElement.localName`;
    expect(await browser.evaluatePrinted(html, parent)).toBe('body');
  });
});
