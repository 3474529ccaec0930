import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { patientTimeout } from './patient-timeout.ts';

/** Blocks the process: nothing is read and no timer fires. */
const haltFor = (milliseconds: number) =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe('patientTimeout', () => {
  afterEach(() => vi.useRealTimers());

  it('calls back once when its time is over', () => {
    vi.useFakeTimers();
    const onLate = vi.fn<() => void>();
    patientTimeout(1000, onLate);
    vi.advanceTimersByTime(999);
    expect(onLate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5000);
    expect(onLate).toHaveBeenCalledTimes(1);
  });

  it.each([0, 1, 600, 999])('does not call back after cancellation at %i of 1000 ms', (passed) => {
    vi.useFakeTimers();
    const onLate = vi.fn<() => void>();
    const cancel = patientTimeout(1000, onLate);
    vi.advanceTimersByTime(passed);
    cancel();
    vi.advanceTimersByTime(5000);
    expect(onLate).not.toHaveBeenCalled();
  });

  it('reads an answer that arrived while the event loop was blocked', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write('first');
    // The child has started when it first replies.
    await once(child.stdout, 'data');
    const onLate = vi.fn<() => void>();
    const cancel = patientTimeout(2000, onLate);
    child.stdin.write('second');
    haltFor(3000);
    expect(String(await once(child.stdout, 'data'))).toBe('second');
    cancel();
    expect(onLate).not.toHaveBeenCalled();
    child.stdin.end();
    await once(child, 'exit');
  });
});
