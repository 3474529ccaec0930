import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it } from 'vitest';
import { WritePacing } from './write-pacing.ts';

describe('WritePacing', () => {
  it('allows ten writes a second, in the order of the requests', () => {
    const clock = new FakeClock();
    const pacing = new WritePacing(clock);
    const turns = Array.from({ length: 12 }, () => pacing.draw());
    expect(turns.map((turn) => pacing.waitFor(turn))).toEqual(turns.map((_, place) => place * 100));
    clock.advance(550);
    expect(turns.filter((turn) => pacing.waitFor(turn) === 0)).toEqual(turns.slice(0, 6));
  });

  it('does not save up writes while idle', () => {
    const clock = new FakeClock();
    const pacing = new WritePacing(clock);
    pacing.draw();
    clock.advance(10_000);
    expect([pacing.draw(), pacing.draw()].map((turn) => pacing.waitFor(turn))).toEqual([0, 100]);
  });
});
