import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { systemClock, TimeoutError } from './clock.ts';

const never = () => new Promise<never>(() => undefined);

let clock: FakeClock;
beforeEach(() => void (clock = new FakeClock()));

it('Clock.sleep ends when its time has passed, regardless of wall-clock changes', async () => {
  const ended = vi.fn<() => void>();
  const sleep = clock.sleep(1000).then(ended);
  clock.setTimeOfDay(new Date('2030-01-01'));
  clock.advance(999);
  await Promise.resolve();
  expect(ended).not.toHaveBeenCalled();
  clock.setTimeOfDay(new Date('2020-01-01'));
  clock.advance(1);
  await sleep;
});

it('Clock.sleep ends when the signal aborts, and leaves no timer behind', async () => {
  const stop = new AbortController();
  const sleep = clock.sleep(1000, stop.signal);
  stop.abort();
  await sleep;
  await clock.sleep(1000, stop.signal);
  expect(clock.pending).toBe(0);
});

describe('Clock.withTimeout', () => {
  it('settles as the work does, then aborts its signal and clears its timer', async () => {
    let given: AbortSignal | undefined;
    const work = async (signal: AbortSignal) => {
      given = signal;
      return signal.aborted;
    };
    expect(await clock.withTimeout(work, 1000)).toBe(false);
    expect(given?.aborted).toBe(true);
    await expect(clock.withTimeout(() => Promise.reject(new Error('failed')), 1000)).rejects.toThrow(
      'failed',
    );
    expect(clock.pending).toBe(0);
  });

  it('rejects with a TimeoutError on timeout, even if the work rejects on the abort', async () => {
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const outcome = expect(clock.withTimeout(work, 1000)).rejects.toThrow(
      new TimeoutError('no response within 1000 ms'),
    );
    clock.advance(1000);
    await outcome;
  });

  it('returns the result of onTimeout, but not before the timeout', async () => {
    const late = vi.fn<() => string>(() => 'late');
    const outcome = clock.withTimeout<string>(never, 1000, { onTimeout: late });
    clock.advance(999);
    await Promise.resolve();
    expect(late).not.toHaveBeenCalled();
    clock.advance(1);
    expect(await outcome).toBe('late');
  });

  it("rejects with the signal's reason, before or during the work", async () => {
    const stop = new AbortController();
    const outcome = expect(clock.withTimeout(never, 1000, { signal: stop.signal })).rejects.toThrow(
      'stopped',
    );
    stop.abort(new Error('stopped'));
    await outcome;
    const work = vi.fn<() => Promise<void>>();
    await expect(clock.withTimeout(work, 1000, { signal: stop.signal })).rejects.toThrow('stopped');
    expect(work).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  it('reads a response that arrived while the event loop was blocked', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write('first');
    // The child has started when it first replies.
    await once(child.stdout, 'data');
    const response = systemClock.withTimeout(() => once(child.stdout, 'data'), 2000);
    child.stdin.write('second');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    expect(String(await response)).toBe('second');
    child.stdin.end();
    await once(child, 'exit');
  });
});
