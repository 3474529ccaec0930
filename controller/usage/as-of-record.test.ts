import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { AsOfRecord } from './as-of-record.ts';

const INTERVAL_MS = 10_000;

it('is rewritten after each change of the reports, otherwise once a minute', async () => {
  const clock = new FakeClock();
  const written: string[] = [];
  let isAway = false;
  const store = {
    put: async (_key: string, body: unknown) => {
      if (isAway) throw new Error('the store is away');
      written.push(String(body));
      return { created: true };
    },
  };
  const record = new AsOfRecord(store, clock);
  const times = async (changes: readonly number[]) => {
    written.length = 0;
    const began = clock.now().getTime();
    for (const count of changes) {
      await record.update(clock.now(), count).catch(() => undefined);
      clock.advance(INTERVAL_MS);
    }
    return written.map((time) => (Date.parse(time) - began) / INTERVAL_MS);
  };
  expect(await times([0, 0, 0, 0, 0, 0, 0, 0])).toEqual([0, 5]);
  expect(await times([1, 1, 2, 2])).toEqual([0, 2]);
  isAway = true;
  expect(await times([3])).toEqual([]);
  isAway = false;
  expect(await times([3, 3])).toEqual([0]);
});
