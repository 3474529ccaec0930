import { expect, it } from 'vitest';
import { Change } from './change.ts';
import { RecentChanges } from './recent-changes.ts';

const change = (revision: number, length: number) =>
  new Change({ revision, json: 'x'.repeat(length), deleted: false }, () => undefined);

it('keeps the latest changes up to its byte limit, and none larger than the limit', () => {
  const recent = new RecentChanges(1000);
  for (let revision = 1; revision <= 5; revision += 1) recent.add(change(revision, 150));
  recent.add(change(6, 501));
  const held = [1, 2, 3, 4, 5, 6].filter((revision) => recent.get(revision));
  expect(held).toEqual([3, 4, 5]);
});
