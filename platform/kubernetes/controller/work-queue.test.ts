import { describe, expect, it } from 'vitest';
import { PRIORITIES } from '../../scheduling/priority.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { WorkQueue } from './work-queue.ts';

function queueAt(clock = new FakeClock(), random = () => 0) {
  return { clock, queue: new WorkQueue({ clock, random }) };
}

/** Whether the promise has settled after all due work has run. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  const note = () => {
    done = true;
  };
  promise.then(note, note);
  await new Promise<void>((resolve) => setImmediate(resolve));
  return done;
}

it('returns keys in insertion order, first to the caller that has waited longest', async () => {
  const { queue } = queueAt();
  const first = queue.get();
  const second = queue.get();
  queue.add('a');
  queue.add('b');
  expect(await Promise.all([first, second])).toEqual(['a', 'b']);
});

it('never returns a key to two callers and never loses an add, in any order of calls', async () => {
  const { queue } = queueAt();
  const processing = new Set<string>();
  const owed = new Set<string>();
  // Uses a fixed sequence of pseudo-random choices, so that failures are reproducible.
  let state = 42;
  const choose = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  for (let step = 0; step < 20_000; step += 1) {
    const key = `k${choose(7)}`;
    if (choose(2) === 0) {
      queue.add(key);
      owed.add(key);
    } else if (processing.has(key)) {
      processing.delete(key);
      queue.done(key);
    } else if (queue.length > 0) {
      const taken = (await queue.get()) as string;
      expect(processing.has(taken)).toBe(false);
      expect(owed.delete(taken)).toBe(true);
      processing.add(taken);
    }
  }
  for (const key of processing) queue.done(key);
  while (queue.length > 0) owed.delete((await queue.get()) as string);
  expect([...owed]).toEqual([]);
});

it('returns keys by priority, with one turn in eight for each lower priority, alternating between groups', async () => {
  const queue = new WorkQueue({
    clock: new FakeClock(),
    priorityOf: (key) => PRIORITIES.find((priority) => key.includes(priority)),
    groupOf: (key) => key.slice(0, key.indexOf('/')),
  });
  for (const priority of PRIORITIES.toReversed()) {
    for (let index = 0; index < 80; index += 1) queue.add(`many/${priority}-${index}`);
    queue.add(`few/${priority}-0`);
  }
  expect(queue.length).toBe(243);
  const taken: (string | undefined)[] = [];
  while (taken.length < 80) taken.push(await queue.get());
  const turns = PRIORITIES.map((priority) => taken.filter((key) => key?.includes(priority)).length);
  expect(turns).toEqual([60, 10, 10]);
  expect(taken[0]).toBe('many/interactive-0');
  for (const priority of PRIORITIES) {
    const own = taken.filter((key) => key?.includes(priority));
    expect(own.slice(0, 3)).toEqual([`many/${priority}-0`, `few/${priority}-0`, `many/${priority}-1`]);
  }
});

describe('A delayed key', () => {
  it.each<[string, (queue: WorkQueue) => void]>([
    ['its delay', (queue) => queue.addAfter('a', 3000)],
    ['the given minimum of a rate-limited key', (queue) => queue.addRateLimited('a', 3000)],
  ])('is returned after %s', async (_what, add) => {
    const { queue, clock } = queueAt();
    add(queue);
    clock.advance(2999);
    expect(queue.length).toBe(0);
    clock.advance(1);
    expect(queue.length).toBe(1);
    expect(await queue.get()).toBe('a');
  });

  it('is returned at the earlier of two times, in either order, and immediately for zero or less', () => {
    const { queue, clock } = queueAt();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 100);
    queue.addAfter('b', 100);
    queue.addAfter('b', 1000);
    clock.advance(100);
    expect(queue.length).toBe(2);
    queue.addAfter('c', 0);
    queue.addAfter('d', -5);
    expect(queue.length).toBe(4);
    expect(clock.pending).toBe(0);
  });

  it('is still returned if the key was added and done in the meantime', async () => {
    const { queue, clock } = queueAt();
    queue.addAfter('a', 1000);
    queue.add('a');
    queue.done((await queue.get()) as string);
    clock.advance(1000);
    expect(queue.length).toBe(1);
  });

  it('waits until the key is no longer active', async () => {
    const { queue, clock } = queueAt();
    queue.add('a');
    await queue.get();
    queue.addAfter('a', 10);
    clock.advance(10);
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(queue.length).toBe(1);
  });
});

describe('A rate-limited key', () => {
  async function delays(queue: WorkQueue, clock: FakeClock, times: number): Promise<number[]> {
    const found: number[] = [];
    for (let time = 0; time < times; time += 1) {
      queue.addRateLimited('a');
      const start = clock.now().getTime();
      while (queue.length === 0) clock.advance(1);
      found.push(clock.now().getTime() - start);
      queue.done((await queue.get()) as string);
    }
    return found;
  }

  it('doubles its delay up to the maximum and starts over after forget', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, random: () => 0, backoff: { baseMs: 5, capMs: 100 } });
    expect(await delays(queue, clock, 7)).toEqual([5, 10, 20, 40, 80, 100, 100]);
    expect(queue.retries('a')).toBe(7);
    queue.forget('a');
    expect(queue.retries('a')).toBe(0);
    expect(await delays(queue, clock, 2)).toEqual([5, 10]);
  });

  it('reduces its delay randomly by at most a quarter', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, random: () => 0.9999, backoff: { baseMs: 1000, capMs: 60_000 } });
    expect(await delays(queue, clock, 3)).toEqual([751, 1501, 3001]);
  });

  it('waits at most five minutes by default, after any number of failures', async () => {
    const { queue, clock } = queueAt();
    for (let time = 0; time < 2000; time += 1) {
      queue.addRateLimited('a');
      clock.advance(5 * 60_000);
      expect(queue.length).toBe(1);
      queue.done((await queue.get()) as string);
    }
  });
});

describe('drain', () => {
  it('waits for active keys and returns no more keys', async () => {
    const { queue, clock } = queueAt();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await queue.get();
    queue.add('a');
    const drained = queue.drain();
    expect(await queue.get()).toBeUndefined();
    expect(await settled(drained)).toBe(false);
    queue.done('a');
    await drained;
    queue.add('d');
    queue.addAfter('e', 10);
    queue.addRateLimited('f');
    clock.advance(10_000);
    expect(queue.length).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('resolves waiting callers with undefined', async () => {
    const { queue } = queueAt();
    const waiting = [queue.get(), queue.get()];
    await queue.drain();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  });
});
