import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

async function variablesInCode(): Promise<string[]> {
  const found = new Set<string>();
  const sources = glob('{platform,standalone,api-gateway,controller,renderer}/**/*.ts', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  for await (const file of sources) {
    if (file.endsWith('.test.ts')) continue;
    const text = await readFile(new URL(file, root), 'utf8');
    for (const match of text.matchAll(/variable: '(TRIFOLD_\w+)'/g)) found.add(String(match[1]));
  }
  return [...found].sort();
}

describe('docs/configuration.md', () => {
  it('lists every setting there is, and no other', async () => {
    const page = await readFile(new URL('docs/configuration.md', root), 'utf8');
    const listed = [...page.matchAll(/^\| `(TRIFOLD_\w+)`/gm)].map((match) => String(match[1])).sort();
    const inCode = await variablesInCode();
    expect(inCode.length).toBeGreaterThan(20);
    expect(listed).toEqual(inCode);
  });
});
