import { TemplateCompiler } from '@trifold/platform/templating/merge/template-compiler.ts';
import { HELPER_SIGNATURES } from '@trifold/platform/templating/helpers/helper-signatures.ts';
import { describe, expect, it } from 'vitest';
import { blocks, page as readPage } from './pages.ts';

const helpers = await readPage('docs/template-helpers.md');
const guide = await readPage('docs/templates.md');

const compiler = new TemplateCompiler();

/** Returns the text that a reader of the file sees. */
function shownBy(template: string, data: Record<string, unknown>): string | undefined {
  const html = compiler.compilePage({ html: `<body>${template}</body>` })(data);
  const text = /<body>([^]*)<\/body>/.exec(html)?.[1];
  return text
    ?.replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('&amp;', '&')
    .trim();
}

describe.each([
  ['docs/template-helpers.md', helpers],
  ['docs/templates.md', guide],
])('%s', (_file, page) => {
  const data = JSON.parse(blocks(page, 'json')[0] ?? '') as Record<string, unknown>;
  const examples = [...page.matchAll(/^\| `(\{\{.*?\}\})`\s*\| (.*?)\s*\|$/gm)].map(
    ([, template = '', shown = '']) => [template, shown],
  );

  it.each(examples)('shows the right result for %s', (template, shown) => {
    expect(shownBy(template, data)).toBe(shown);
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(15);
  });
});

it.each(Object.keys(HELPER_SIGNATURES))('docs/template-helpers.md describes %s', (name) => {
  expect(helpers).toMatch(new RegExp(`[\`{(#]${name}\\b`));
});

it('docs/templates.md has a partial that takes a context and a named value', () => {
  const [template = ''] = blocks(guide, 'handlebars');
  const data = { customer: { name: 'Ada', city: 'London' } };
  const addresses = shownBy(template, data)?.match(/<address[^]*?<\/address>/g);
  expect(addresses).toEqual(
    ['billing', 'shipping'].map((kind) => `<address class="${kind}">Ada<br />London</address>`),
  );
});
