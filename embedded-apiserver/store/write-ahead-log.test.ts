import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GroupSync } from './write-ahead-log.ts';

/** Syncs that have started. */
let syncs: PromiseWithResolvers<void>[];
let group: GroupSync;
let reached: number[];

const reach = (revision: number) => {
  const done = group.reach(revision).then(() => void reached.push(revision));
  done.catch(() => undefined);
  return done;
};
const begun = (count: number) => eventually(() => expect(syncs).toHaveLength(count));

beforeEach(() => {
  syncs = [];
  reached = [];
  group = new GroupSync(() => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  });
});

it('GroupSync syncs once for the writes of one tick, and once more for all writes during that sync', async () => {
  const first = [reach(1), reach(2), reach(3)];
  await begun(1);
  const second = [reach(4), reach(5)];
  await setImmediate();
  expect([syncs.length, reached]).toEqual([1, []]);
  syncs[0]?.resolve();
  await Promise.all(first);
  await begun(2);
  expect(reached).toEqual([1, 2, 3]);
  syncs[1]?.resolve();
  await Promise.all(second);
  expect([syncs.length, reached]).toEqual([2, [1, 2, 3, 4, 5]]);
});

it('GroupSync does not need a separate sync for a revision that is durable or covered by the current sync', async () => {
  const write = reach(7);
  await begun(1);
  const read = reach(7);
  syncs[0]?.resolve();
  await Promise.all([write, read, reach(6)]);
  await group.idle();
  expect(syncs).toHaveLength(1);
});
