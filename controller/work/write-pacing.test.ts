import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it } from 'vitest';
import { WritePacing } from './write-pacing.ts';

describe('WritePacing', () => {
  it('gives turns at its rate, in the order of the requests', () => {
    const clock = new FakeClock();
    const pacing = new WritePacing(clock, 100);
    const turns = Array.from({ length: 12 }, () => pacing.draw() ?? NaN);
    expect(turns.map((turn) => pacing.waitFor(turn))).toEqual(turns.map((_, place) => place * 100));
    clock.advance(550);
    expect(turns.filter((turn) => pacing.waitFor(turn) === 0)).toEqual(turns.slice(0, 6));
  });

  it('does not save up writes while idle', () => {
    const clock = new FakeClock();
    const pacing = new WritePacing(clock, 100);
    pacing.draw();
    clock.advance(10_000);
    expect([pacing.draw(), pacing.draw()].map((turn) => pacing.waitFor(turn ?? NaN))).toEqual([0, 100]);
  });

  it('gives no turn that is more than a minute away', () => {
    const clock = new FakeClock();
    const pacing = new WritePacing(clock, 100);
    const turns = Array.from({ length: 700 }, () => pacing.draw());
    expect(turns.filter((turn) => turn !== undefined)).toHaveLength(601);
    clock.advance(100);
    expect(pacing.draw()).toBeDefined();
  });
});
