import { beforeEach, expect, it, vi } from 'vitest';
import { DirectoryStore } from '../../object-store/directory/directory-store.ts';
import { WorkIndex } from './work-index.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const HOUR = 3_600_000;
const NOON = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);

let root: string;
let store: DirectoryStore;
let index: WorkIndex;
beforeEach(() => {
  root = testDirectory();
  store = new DirectoryStore({ root });
  index = new WorkIndex(store);
});

/** Returns the rows that a new reader finds, newest chunk first. */
async function chunks(now: Date, account = 'acme'): Promise<number[][]> {
  const reader = new WorkIndex(store);
  const listed = await reader.list(account, 'documents', now);
  const rows = await Promise.all(listed.chunks.map(({ key }) => reader.read<number>(key)));
  return rows.map((each) => each ?? []);
}

it('The work index extends a small chunk and starts another when it is full', async () => {
  for (let row = 0; row < 3; row += 1) await index.add('acme', 'documents', [row], later(row));
  expect(await chunks(NOON)).toEqual([[0, 1, 2]]);
  const many = Array.from({ length: 497 }, (_, row) => row + 3);
  await index.add('acme', 'documents', many, later(3));
  await index.add('acme', 'documents', [500], later(4));
  expect((await chunks(NOON)).map((rows) => rows.length)).toEqual([1, 500]);
  const { objects } = await store.list('index/');
  expect(objects).toHaveLength(2);
});

it('The work index keeps the rows of different writers, accounts and lists separate', async () => {
  const other = new WorkIndex(store);
  for (let row = 0; row < 4; row += 1) {
    await [index, other][row % 2]?.add('acme', 'documents', [row], NOON);
  }
  await index.add('other', 'documents', [7], NOON);
  await index.add('acme', 'batches', [8], NOON);
  expect((await chunks(NOON)).flat().toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3]);
  expect(await chunks(NOON, 'other')).toEqual([[7]]);
  expect(await chunks(NOON, 'ot')).toEqual([]);
});

it('The work index is read for 24 hours, even across midnight and with a different clock', async () => {
  const midnight = new Date('2026-11-22T00:00:00.000Z');
  await index.add('acme', 'documents', [1], NOON);
  await index.add('acme', 'documents', [2], midnight);
  await index.markDeleted('acme', 'gen-1', NOON);
  // Only pages bound the memory: an account can delete any number of documents in a day.
  const whole = vi.spyOn(DirectoryStore.prototype, 'list');
  expect(await chunks(new Date(midnight.getTime() - 1000))).toEqual([[2], [1]]);
  expect(await chunks(later(24 * HOUR))).toEqual([[2], [1]]);
  const afterMidnight = new Date(midnight.getTime() + 1000);
  expect(await chunks(afterMidnight)).toEqual([[2], [1]]);
  const { deleted } = await index.list('acme', 'documents', later(24 * HOUR));
  expect(deleted).toEqual(new Set(['gen-1']));
  expect(whole).not.toHaveBeenCalled();
  whole.mockRestore();
  expect(await chunks(later(25 * HOUR))).toEqual([[2]]);
});
