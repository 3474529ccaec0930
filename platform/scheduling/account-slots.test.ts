import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { AccountSlots } from './account-slots.ts';
import type { Priority } from './priority.ts';

const NEVER = new AbortController().signal;
const STOPPED = new Error('stopped');

/** Numbered slots; spares have higher numbers. */
class Pool {
  readonly clock = new FakeClock();
  /** Running work, such as `acme 1`, in start order. */
  readonly started: string[] = [];
  readonly stopped: number[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly slots: AccountSlots<number>;
  spares = 0;
  startSpare = async (slot: number) => this.slots.offer(slot);

  constructor(size: number) {
    this.slots = new AccountSlots<number>({
      size,
      clock: this.clock,
      spare: {
        create: () => {
          this.spares += 1;
          return size + this.spares - 1;
        },
        start: (slot) => this.startSpare(slot),
        stop: async (slot) => void this.stopped.push(slot),
      },
    });
    for (let slot = 0; slot < size; slot += 1) this.slots.offer(slot);
  }

  /** Starts work that runs until `end`. */
  async run(work: string, priority?: Priority, signal = NEVER): Promise<void> {
    const [account = ''] = work.split(' ');
    await this.slots.run({ account, signal, priority }, async (slot) => {
      this.started.push(work);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(work, resolve);
      await promise;
      this.slots.offer(slot);
    });
  }

  async begin(...works: string[]): Promise<void> {
    for (const work of works) this.run(work).catch(() => undefined);
    await settled();
  }

  async end(...works: string[]): Promise<void> {
    for (const work of works) this.#ends.get(work)?.();
    await settled();
  }

  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await settled();
  }
}

/** Resolves when promises that are already resolved have taken effect. */
const settled = async () => new Promise((resolve) => setImmediate(resolve));

it('give one account all slots, but never a spare, however long it waits', async () => {
  const pool = new Pool(2);
  await pool.begin('a 1', 'a 2', 'a 3');
  await pool.advance(60_000);
  expect(pool.started).toEqual(['a 1', 'a 2']);
  expect(pool.spares).toBe(0);
  await pool.end('a 1');
  expect(pool.started).toEqual(['a 1', 'a 2', 'a 3']);
});

it('start a spare when an account with no requests in progress has waited 500 ms', async () => {
  const pool = new Pool(2);
  await pool.begin('a 1', 'a 2', 'a 3');
  await pool.advance(400);
  await pool.begin('b 1');
  await pool.advance(499);
  expect(pool.started).toEqual(['a 1', 'a 2']);
  await pool.advance(1);
  expect(pool.started).toEqual(['a 1', 'a 2', 'b 1']);
});

it('give out a running spare immediately, and only to accounts with no requests in progress', async () => {
  const pool = new Pool(1);
  await pool.begin('a 1', 'a 2', 'b 1');
  await pool.advance(500);
  await pool.begin('b 2', 'c 1');
  expect(pool.started).toEqual(['a 1', 'b 1']);
  await pool.end('b 1');
  expect(pool.started).toEqual(['a 1', 'b 1', 'c 1']);
  await pool.end('c 1');
  expect(pool.started).toEqual(['a 1', 'b 1', 'c 1', 'b 2']);
  await pool.end('b 2');
  await pool.begin('d 1');
  expect(pool.started.at(-1)).toBe('d 1');
  expect(pool.spares).toBe(1);
});

it('start a spare when the account of a waiting request has no other requests in progress', async () => {
  const pool = new Pool(2);
  await pool.begin('a 1', 'b 1', 'c 1', 'b 2');
  await pool.end('b 1');
  expect(pool.started).toEqual(['a 1', 'b 1', 'c 1']);
  await pool.advance(500);
  expect(pool.started).toEqual(['a 1', 'b 1', 'c 1', 'b 2']);
});

it('give free slots first to accounts with no requests in progress, then alternate', async () => {
  const pool = new Pool(2);
  await pool.begin('a 1', 'a 2', 'a 3', 'a 4', 'b 1', 'b 2');
  await pool.end('a 1');
  expect(pool.started.at(-1)).toBe('b 1');
  await pool.end('a 2');
  expect(pool.started.at(-1)).toBe('a 3');
  await pool.end('b 1');
  expect(pool.started.at(-1)).toBe('b 2');
  await pool.end('a 3', 'b 2');
  expect(pool.started.at(-1)).toBe('a 4');
});

it('keep one slot beyond the shared ones for accounts with no requests in progress', async () => {
  const pool = new Pool(2);
  await pool.begin('a 1', 'a 2', 'a 3', 'b 1');
  await pool.advance(500);
  await pool.end('a 1');
  expect(pool.started).toEqual(['a 1', 'a 2', 'b 1']);
  await pool.begin('c 1');
  expect(pool.started.at(-1)).toBe('c 1');
});

it('stop a spare that has not been used for a minute, and start another one later', async () => {
  const pool = new Pool(1);
  await pool.begin('a 1', 'b 1');
  await pool.advance(500);
  await pool.advance(600_000);
  await pool.end('b 1');
  await pool.advance(59_999);
  expect(pool.stopped).toEqual([]);
  await pool.begin('b 2');
  await pool.end('b 2');
  await pool.advance(59_999);
  expect(pool.stopped).toEqual([]);
  await pool.advance(1);
  expect(pool.stopped).toEqual([1]);
  await pool.begin('b 3');
  await pool.advance(500);
  expect(pool.started.at(-1)).toBe('b 3');
  expect(pool.spares).toBe(2);
});

it('retry starting a spare', async () => {
  const pool = new Pool(1);
  const { startSpare } = pool;
  pool.startSpare = () => Promise.reject(new Error('no spare today'));
  await pool.begin('a 1', 'b 1');
  await pool.advance(500);
  await pool.advance(499);
  expect(pool.spares).toBe(1);
  pool.startSpare = startSpare;
  await pool.advance(1);
  expect(pool.started).toEqual(['a 1', 'b 1']);
});

it('let at most four interactive requests in a row overtake others', async () => {
  const pool = new Pool(1);
  const run = (work: string, priority: Priority) => void pool.run(work, priority);
  await pool.begin('a 0');
  run('a later', 'asynchronous');
  for (let index = 1; index <= 5; index += 1) run(`a ${index}`, 'interactive');
  for (let index = 0; index <= 4; index += 1) await pool.end(`a ${index}`);
  expect(pool.started.slice(1)).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a later']);
});

it('forget requests that are aborted', async () => {
  const pool = new Pool(1);
  await pool.begin('a 1');
  const abort = new AbortController();
  const aborted = expect(pool.run('b 1', 'interactive', abort.signal)).rejects.toThrow('gone');
  abort.abort(new Error('gone'));
  await aborted;
  expect([pool.slots.waiting, pool.slots.waitingOf('b')]).toEqual([0, 0]);
  await pool.advance(500);
  expect(pool.spares).toBe(0);
  await pool.begin('c 1');
  await pool.end('a 1');
  expect(pool.started).toEqual(['a 1', 'c 1']);
});

it('use a withdrawn slot when it is offered again', async () => {
  const pool = new Pool(1);
  pool.slots.withdraw(0);
  await pool.begin('a 1');
  expect(pool.started).toEqual([]);
  pool.slots.offer(0);
  await settled();
  expect(pool.started).toEqual(['a 1']);
});

it('reject waiting and later requests and stop the spare when they stop', async () => {
  const pool = new Pool(1);
  await pool.begin('a 1', 'b 1');
  await pool.advance(500);
  const waiting = expect(pool.run('a 2')).rejects.toBe(STOPPED);
  await pool.slots.stop(STOPPED);
  await waiting;
  await expect(pool.run('c 1')).rejects.toBe(STOPPED);
  await pool.end('b 1');
  expect(pool.stopped).toEqual([1]);
  expect(pool.clock.pending).toBe(0);
});
