import { describe, expect, it } from 'vitest';
import { AttemptScheduler, type QueuedAttempt } from './attempt-scheduler.ts';

/** Attempts that run until the test ends them. */
class Attempts {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  /** By default, queue and account are the key up to its dash. */
  attempt(key: string, more: Partial<QueuedAttempt> = {}): QueuedAttempt {
    const run = () => {
      this.begun.push(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(key, resolve);
      return promise;
    };
    const [queue = ''] = key.split('-');
    return { key, queue, account: queue, run, ...more };
  }

  async end(key: string): Promise<void> {
    this.#ends.get(key)?.();
    await new Promise(setImmediate);
  }
}

const scheduler = (concurrency: number, endpointConcurrency: number) =>
  new AttemptScheduler({ concurrency, endpointConcurrency });

const names = (queue: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${queue}-${index}`);

describe('AttemptScheduler', () => {
  it('starts two attempts to a new endpoint, and more after the first success', async () => {
    const attempts = new Attempts();
    const all = scheduler(128, 4);
    for (const key of names('a', 8)) all.add(attempts.attempt(key));
    expect(attempts.begun).toEqual(names('a', 2));
    all.note('a', true);
    await attempts.end('a-0');
    expect(attempts.begun).toEqual(names('a', 5));
  });

  it('starts two attempts at a time while an endpoint fails, and more when it works again', () => {
    const attempts = new Attempts();
    const all = scheduler(128, 4);
    all.add(attempts.attempt('a-0'));
    all.note('a', true);
    for (const key of names('a', 8).slice(1)) all.add(attempts.attempt(key, { isFailing: true }));
    expect(attempts.begun).toHaveLength(2);
    all.note('a', true);
    expect(attempts.begun).toHaveLength(4);
  });

  it('sends to other endpoints while one hangs', () => {
    const attempts = new Attempts();
    const all = scheduler(128, 4);
    const account = 'acme';
    for (const key of names('hanging', 100)) all.add(attempts.attempt(key, { account }));
    all.note('hanging', true);
    expect(attempts.begun).toEqual(names('hanging', 4));
    all.add(attempts.attempt('other-0', { account }));
    expect(attempts.begun.at(-1)).toBe('other-0');
  });

  it('alternates between the endpoints of an account that is at its limit', async () => {
    const attempts = new Attempts();
    const all = scheduler(8, 2);
    const account = 'acme';
    for (const queue of ['a', 'b', 'c']) {
      for (const key of names(queue, 4)) all.add(attempts.attempt(key, { account }));
    }
    for (let ended = 0; ended < 12; ended += 1) await attempts.end(attempts.begun[ended]!);
    expect(attempts.begun).toHaveLength(12);
    // Once all three wait, each gets one turn of three.
    expect(new Set(attempts.begun.slice(2, 5).map((key) => key[0]))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(attempts.begun.slice(5, 8).map((key) => key[0]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('alternates between accounts when all attempts are in use', async () => {
    const attempts = new Attempts();
    const all = scheduler(2, 2);
    for (const queue of ['a1', 'a2', 'a3']) {
      for (const key of names(queue, 4)) all.add(attempts.attempt(key, { account: 'many' }));
    }
    all.add(attempts.attempt('x-0'));
    await attempts.end('a1-0');
    await attempts.end('a1-1');
    expect(attempts.begun.at(-1)).toBe('x-0');
  });

  it('leaves three quarters of all attempts to other accounts', () => {
    const attempts = new Attempts();
    const all = scheduler(16, 4);
    for (let queue = 0; queue < 50; queue += 1) {
      for (const key of names(`a${queue}`, 4)) all.add(attempts.attempt(key, { account: 'acme' }));
    }
    expect(attempts.begun).toHaveLength(4);
    for (const key of names('x', 4)) all.add(attempts.attempt(key));
    all.note('x', true);
    expect(attempts.begun.slice(4)).toEqual(names('x', 4));
  });

  it('runs one attempt of a group at a time, in order, and does not delay other groups', async () => {
    const attempts = new Attempts();
    const all = scheduler(128, 4);
    for (const key of names('a', 3)) all.add(attempts.attempt(key, { group: 'batch' }));
    all.add(attempts.attempt('a-9'));
    expect(attempts.begun).toEqual(['a-0', 'a-9']);
    await attempts.end('a-0');
    await attempts.end('a-1');
    expect(attempts.begun).toEqual(['a-0', 'a-9', 'a-1', 'a-2']);
  });

  it('runs an attempt that is added twice only once, and no attempt that is removed before its start', async () => {
    const attempts = new Attempts();
    const all = scheduler(2, 1);
    for (const key of ['a-0', 'a-0', 'a-1', 'a-1']) all.add(attempts.attempt(key));
    all.remove('a-1');
    // It is running, so this does nothing.
    all.remove('a-0');
    await attempts.end('a-0');
    expect(attempts.begun).toEqual(['a-0']);
    all.add(attempts.attempt('a-0'));
    expect(attempts.begun).toEqual(['a-0', 'a-0']);
  });

  it('starts nothing after close, which resolves when the last attempt has ended', async () => {
    const attempts = new Attempts();
    const all = scheduler(2, 1);
    all.add(attempts.attempt('a-0'));
    all.add(attempts.attempt('a-1'));
    let isClosed = false;
    const closed = all.close().then(() => (isClosed = true));
    all.add(attempts.attempt('b-0'));
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    await attempts.end('a-0');
    await closed;
    expect(attempts.begun).toEqual(['a-0']);
    expect(all.running).toBe(0);
  });
});
