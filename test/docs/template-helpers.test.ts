import { TemplateCompiler } from '@trifold/platform/templating/merge/template-compiler.ts';
import { HELPER_SIGNATURES } from '@trifold/platform/templating/syntax/helper-signatures.ts';
import { describe, expect, it } from 'vitest';
import { page as readPage } from './pages.ts';

const page = await readPage('docs/template-helpers.md');
const data = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '') as Record<string, unknown>;
const examples = [...page.matchAll(/^\| `(\{\{.*?\}\})`\s*\| (.*?)\s*\|$/gm)].map(
  ([, call = '', shown = '']) => [call, shown],
);

describe('docs/template-helpers.md', () => {
  it.each(examples)('shows the right result for %s', (call, shown) => {
    const html = new TemplateCompiler().compilePage({ html: `<body>${call}</body>` })(data);
    const text = /<body>([^]*)<\/body>/.exec(html)?.[1]?.replaceAll(/[\u00a0\u202f]/g, ' ');
    expect(text).toBe(shown);
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  it.each(Object.keys(HELPER_SIGNATURES))('describes %s', (name) => {
    expect(page).toMatch(new RegExp(`[\`{(#]${name}\\b`));
  });
});
