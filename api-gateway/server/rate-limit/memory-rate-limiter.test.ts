import { describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';

function limiterOf(requests: number) {
  const clock = new FakeClock();
  return { clock, limiter: new MemoryRateLimiter({ requests, windowMs: 60_000 }, clock) };
}

describe('MemoryRateLimiter', () => {
  it('admits requests up to the limit and reports the remaining requests and time', async () => {
    const { clock, limiter } = limiterOf(3);
    expect(await limiter.take('a')).toEqual({ allowed: true, remaining: 2, resetMs: 60_000 });
    clock.advance(10_000);
    expect(await limiter.take('a')).toEqual({ allowed: true, remaining: 1, resetMs: 50_000 });
    expect(await limiter.take('a')).toEqual({ allowed: true, remaining: 0, resetMs: 50_000 });
    expect(await limiter.take('a')).toEqual({ allowed: false, remaining: 0, resetMs: 50_000 });
  });

  it('starts a new window with the first request after the previous window ends', async () => {
    const { clock, limiter } = limiterOf(1);
    await limiter.take('a');
    clock.advance(59_999);
    expect((await limiter.take('a')).allowed).toBe(false);
    clock.advance(1);
    expect(await limiter.take('a')).toEqual({ allowed: true, remaining: 0, resetMs: 60_000 });
  });

  it('counts each key separately', async () => {
    const { limiter } = limiterOf(1);
    await limiter.take('a');
    expect((await limiter.take('b')).allowed).toBe(true);
    expect((await limiter.take('a')).allowed).toBe(false);
  });

  it('forgets keys whose window has ended', async () => {
    const { clock, limiter } = limiterOf(1);
    for (let key = 0; key < 100; key++) {
      await limiter.take(String(key));
      clock.advance(1_000);
    }
    expect(limiter.size).toBe(60);
    clock.advance(60_000);
    await limiter.take('last');
    expect(limiter.size).toBe(1);
  });
});
