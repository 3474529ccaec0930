import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inboxHtml } from './inbox-html.ts';
import { prepareInliner } from './rule-matcher.ts';

const EMAILS = 150;

const DECLARATIONS = [
  ['color:red', 'color:nonsense(1)', 'color:rgb(1 2 3 / 50%)', 'color:var(--c)', 'COLOR:Purple'],
  ['--c:green', '--c:#123', '--C:lime', 'all:unset', '/* c;} */ top : 3px', 'mso-line-height-rule:exactly'],
  ['background:#123456', 'background:linear-gradient(red,blue)', 'background:fancy-gradient(red)'],
  ['background-color:yellow', 'background:url("a;b}.png") no-repeat', 'background-image:none'],
  ['margin:1px', 'margin:2px 3px', 'margin-left:4px', 'margin:calc(5px + 1px)', 'margin:oops(5px)'],
  ['padding:1em', 'padding-top:0', 'padding:max(1px,2px)', 'width:10', 'width:50%', 'width:min(10px,50%)'],
  ['font:bold 12px Arial', 'font-size:20px', 'font-family:"A;B", serif', "font-family:'C}D'"],
  ['line-height:1.5', 'display:block', 'display:-foo-flex', 'display:flex', 'vertical-align:middle'],
  ['border:1px solid red', 'border-left:2px dashed blue', 'border-color:green', 'quotes:"«" "»"'],
].flat();
const SELECTORS = [
  ['p', '.a', '.b', '#i', 'td', 'p.a', 'P.b', '.a.b', 'td.a', 'a', 'body', 'html', 'tbody', 'tr', 'colgroup'],
  ['table td', 'div > p', 'b > p', 'p + p', 'p ~ p', 'body div p', '.a, p', 'td, .b, #i', '* b', 'div .a'],
  ['p:first-child', 'p:not(.b)', 'p:empty', 'p:nth-child(2n+1)', ':root', 'a:hover', 'a[href^="h"]'],
  ['td:last-child', 'tr:nth-child(even) td', 'td + td', '[ALT=x]', 'tbody:not(.a)', 'b ~ b', 'table > tr'],
].flat();

function randomEmail(seed: number): string {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
  const maybe = (chance: number, made: () => string) => (below(chance) === 0 ? made() : '');
  const list = (count: number, made: () => string) => Array.from({ length: 1 + below(count) }, made);
  const block = () =>
    list(5, () => pick(DECLARATIONS) + maybe(7, () => ' ! important')).join(pick([';', ' ;\n', ';;']));
  const rule = () => `${pick(SELECTORS)}{${block()}}`;
  const sheet = () =>
    `<style>${list(12, () => maybe(12, () => `@media (max-width:10px){${rule()}}`) || rule()).join(pick(['', '/* } */']))}</style>`;
  const style = () => ` style="${block().replaceAll('"', '&quot;')}"`;
  const attributes = () =>
    maybe(3, () => ` class="${pick(['a', 'b', 'a b'])}"`) + maybe(20, () => ' id=i') + maybe(3, style);
  const tag = (name: string) => `<${name}${attributes()}>`;
  const text = () => pick(['', 'text &amp; more', 'A text of more than sixteen characters.']);
  const elements = (depth: number): string => list(3, () => element(depth + 1)).join(pick(['', ' ', text()]));
  const cell = (depth: number) => `${tag('td')}${elements(depth)}</td>${tag('td')}${text()}</td>`;
  const element = (depth: number): string => {
    const kinds = [
      () => tag('p') + text(),
      () => `${tag('a').replace('>', ' href=http://x/>')}l</a>`,
      () => `${tag('span')}s</span>${tag('br')}${tag('img').replace('>', ' alt="x" />')}`,
      () => `<!--[if mso]><p>x</p><![endif]--><![if !mso]>${tag('p')}n</p><![endif]>`,
      () => `${tag('b')}b${tag('i')}i</i>${pick(['</b>', '</b>', ''])}`,
      () => `${tag('div')}${elements(depth)}</div>`,
      () => `${tag('table')}${pick(['', tag('tbody'), tag('col')])}${tag('tr')}${cell(depth)}</tr></table>`,
    ];
    return kinds[below(depth > 3 ? 2 : kinds.length)]?.() ?? '';
  };
  const head = sheet() + maybe(3, sheet);
  const body = elements(0) + elements(0);
  return pick([
    `<!DOCTYPE html><html><head>${head}</head>${tag('body')}${body}</body></html>`,
    `${head}${body}`,
    `<!DOCTYPE html>${head}Hello ${body}`,
    `${tag('html')}${head}<body>${body}`,
  ]);
}

/** Runs in the browser. Returns the computed styles of `html`, `body` and the elements in the body, one per line. */
const READ_STYLES = `[...document.querySelectorAll('html, body, body :not(style)')].flatMap((element, index) => {
  const style = getComputedStyle(element);
  const names = [...style].filter((name) => !name.startsWith('--'));
  return [...names, '--c', '--C'].map(
    (name) => index + ' ' + element.tagName + ' ' + name + ': ' + style.getPropertyValue(name),
  );
})`;

async function computedStyles(page: Page, html: string): Promise<string[]> {
  await page.setContent(html);
  return (await page.evaluate(READ_STYLES)) as string[];
}

let browser: Browser;
beforeAll(async () => {
  await prepareInliner();
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it('keeps the computed styles of random emails', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  const changed: string[] = [];
  for (let seed = 1; seed <= EMAILS; seed += 1) {
    const html = randomEmail(seed);
    const inlined = inboxHtml(html, '').html;
    const before = await computedStyles(page, html);
    const after = await computedStyles(page, inlined);
    const first = before.findIndex((line, index) => line !== after[index]);
    if (first >= 0)
      changed.push([`${seed}: ${before[first]} became ${after[first]}`, html, inlined].join('\n'));
  }
  expect(changed).toEqual([]);
});
