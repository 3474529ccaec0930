import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { ArchivedRows } from './archived-rows.ts';

it('Rows beyond 64 MiB of chunks are not read', async () => {
  const MiB = 1024 * 1024;
  const chunks = ['c', 'b', 'a'].map((key) => ({ key, size: 30 * MiB }));
  const read: string[] = [];
  const rows = new ArchivedRows<string>({
    account: 'acme',
    list: 'documents',
    index: {
      list: async () => ({ chunks, deleted: new Set() }),
      read: async <Row>(key: string) => (read.push(key), [key] as Row[]),
    },
    placed: (id) => ({ entry: id, position: { createdAt: 0, id } }),
    clock: new FakeClock(),
    onGrowth: () => undefined,
  });
  expect((await rows.list()).rows.map(({ entry }) => entry).toSorted()).toEqual(['b', 'c']);
  expect(read.toSorted()).toEqual(['b', 'c']);
  expect(rows.bytes).toBe(60 * MiB);
});
