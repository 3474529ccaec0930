import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import { ReaderBrowser } from '../testing/browser/reader-browser.ts';
import { closedFragment } from './closed-fragment.ts';

const CASES = 1500;
const SEED = Number(process.env['TRIFOLD_TEST_SEED'] ?? 20_261_122);

// Without `select`, in which Chromium allows any element, unlike parse5, and without `plaintext`, which nothing closes.
const NAMES = [
  'p',
  'div',
  'b',
  'i',
  'a',
  'nobr',
  'font',
  'span',
  'ul',
  'li',
  'dl',
  'dt',
  'h1',
  'h2',
  'pre',
  'form',
  'button',
  'table',
  'caption',
  'colgroup',
  'col',
  'tbody',
  'tr',
  'td',
  'th',
  'template',
  'object',
  'marquee',
  'ruby',
  'rt',
  'svg',
  'math',
  'foreignObject',
  'desc',
  'mi',
  'annotation-xml',
  'style',
  'script',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noscript',
  'br',
  'img',
  'input',
  'hr',
  'html',
  'head',
  'body',
  'frameset',
  'details',
  'address',
];
const TEXTS = [
  'x',
  ' ',
  '<',
  '&amp',
  '\0',
  '<!--',
  '-->',
  '<!-',
  '<![CDATA[',
  ']]>',
  '<?',
  '</',
  '<p title="',
  "<i a='",
  '<b',
];

function fragments(): string[] {
  const next = randomFrom(SEED);
  const one = (of: readonly string[]) => of[Math.floor(next() * of.length)] ?? '';
  const part = () => {
    const kind = next();
    if (kind < 0.5) return `<${one(NAMES)}${one(['', '', '', ' id=a', ' encoding="text/html"'])}>`;
    return kind < 0.75 ? `</${one(NAMES)}>` : one(TEXTS);
  };
  return Array.from({ length: CASES }, () =>
    Array.from({ length: 1 + Math.floor(next() * 10) }, part).join(''),
  );
}

let browser: ReaderBrowser;
beforeAll(async () => {
  browser = await ReaderBrowser.launch();
});
afterAll(() => browser.stop());

it(
  `Chromium places content after a closed fragment outside of it (TRIFOLD_TEST_SEED=${SEED})`,
  { timeout: 600_000 },
  async () => {
    const wrong: string[] = [];
    for (const fragment of fragments()) {
      const closed = closedFragment(fragment);
      const html = `<!doctype html><body><trifold-box>${closed}</trifold-box><u id="behind">x</u>`;
      const parent = await browser.evaluatePrinted(
        html,
        `document.getElementById('behind')?.parentElement.localName ?? 'nowhere'`,
      );
      if (parent !== 'body') wrong.push(JSON.stringify({ fragment, closed, parent }));
    }
    expect(wrong).toEqual([]);
  },
);
