import { statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SQLITE } from '../control-plane-file-error.ts';
import { rangeOf } from './registry.ts';
import { RevisionTable } from './revision-table.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

let directory: string;
let table: RevisionTable;
const everything = rangeOf('k/');

beforeEach(() => {
  directory = testDirectory();
  table = new RevisionTable(path.join(directory, 'plane.db'));
});
afterEach(() => {
  table.close();
});

function write(key: string, value: string, deleted = false): number {
  const before = table.get(key);
  const id = table.nextId();
  table.append({
    id,
    key,
    value,
    deleted,
    created: !before,
    previous: before?.id ?? 0,
    written: 1000 * id,
  });
  return id;
}

const values = (revision?: number) =>
  Array.from(table.list(everything, 100, revision), ({ id }) => table.value(id));

it('removes replaced rows in steps, and keeps rows that later revisions replace', () => {
  for (let round = 1; round <= 5; round += 1) write('k/a', `a${round}`);
  write('k/b', 'b1');
  write('k/b', 'b1', true);
  expect(table.compact(4, { revisions: 2, bytes: 100 })).toBe(2);
  expect(table.compact(4, { revisions: 2, bytes: 100 })).toBe(4);
  expect(table.compactedRevision).toBe(4);
  const [next, ...others] = table.changesAfter(4, 10);
  expect(table.value(next?.previous ?? 0)).toBe('a4');
  expect(others).toMatchObject([{ id: 6 }, { id: 7 }]);
  expect(values(4)).toEqual(['a4']);
  table.compact(7, { revisions: 100, bytes: 100 });
  expect(values()).toEqual(['a5']);
  expect(table.changesAfter(0, 10).map(({ id }) => id)).toEqual([5]);
});

it('removes few large rows per step, but at least one', () => {
  for (let round = 1; round <= 5; round += 1) write('k/a', 'é'.repeat(50));
  const step = { revisions: 100, bytes: 250 };
  expect([table.compact(5, step), table.compact(5, step), table.compact(5, { ...step, bytes: 1 })]).toEqual([
    3, 5, 5,
  ]);
  expect(table.changesAfter(0, 10)).toMatchObject([{ id: 5, bytes: 100 }]);
});

it('never reuses a revision, even after the last rows are deleted and the file is reopened', () => {
  write('k/a', 'a1');
  const last = write('k/a', 'a1', true);
  table.compact(last, { revisions: 100, bytes: 100 });
  table.close();
  table = new RevisionTable(path.join(directory, 'plane.db'));
  expect(table.revision).toBe(last);
  expect(table.compactedRevision).toBe(last);
  expect(write('k/b', 'b1')).toBe(last + 1);
});

it('rejects a file that another process has open, and makes the file unreadable to other users', () => {
  const file = path.join(directory, 'plane.db');
  write('k/a', 'a1');
  expect(() => new RevisionTable(file)).toThrow(expect.objectContaining({ errcode: SQLITE.BUSY }));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
});
