import { expect, it } from 'vitest';
import { RevisionCache } from './revision-cache.ts';

it('The revision cache keeps at most 64 MiB', async () => {
  const body = Buffer.from(JSON.stringify({ html: 'x'.repeat(30 * 2 ** 20) }));
  const read: string[] = [];
  const store = { read: async (key: string) => (read.push(key), body) };
  const cache = new RevisionCache();
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await cache.load(store, key);
  expect(read).toEqual(['a', 'b', 'c', 'a']);
});
