import { expect, it } from 'vitest';
import { filesOf, page } from './pages.ts';

const MAX_WORDS = 450;

it(`Decision records have at most ${MAX_WORDS} words`, async () => {
  const records = await filesOf('docs/adr/0*.md');
  const lengths = await Promise.all(
    records.map(async (record) => {
      const words = (await page(record)).split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      return [record, words.length] as const;
    }),
  );
  expect(lengths.length).toBeGreaterThan(60);
  expect(lengths.filter(([, words]) => words > MAX_WORDS)).toEqual([]);
});
