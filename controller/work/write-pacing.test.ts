import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { WritePacing } from './write-pacing.ts';

it('does not accumulate turns while idle', () => {
  const clock = new FakeClock();
  const pacing = new WritePacing(clock, 100);
  pacing.draw();
  clock.advance(10_000);
  expect([pacing.draw(), pacing.draw()].map((turn) => pacing.waitFor(turn ?? NaN))).toEqual([0, 100]);
});

it('does not grant turns more than a minute ahead', () => {
  const clock = new FakeClock();
  const pacing = new WritePacing(clock, 100);
  const turns = Array.from({ length: 700 }, () => pacing.draw());
  expect(turns.filter((turn) => turn !== undefined)).toHaveLength(601);
  clock.advance(100);
  expect(pacing.draw()).toBeDefined();
});
