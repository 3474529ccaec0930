import { ManualClock } from '@trifold/platform/testing/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { AttemptLanes } from './attempt-lanes.ts';
import type { LaneTask } from './lane.ts';

/** Tasks that run until the test ends them. */
class Tasks {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  task(key: string, more: Partial<LaneTask> = {}): LaneTask {
    const run = () => {
      this.begun.push(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(key, resolve);
      return promise;
    };
    return { key, lane: key.split('-')[0] ?? '', account: key.split('-')[0] ?? '', run, ...more };
  }

  async end(key: string): Promise<void> {
    this.#ends.get(key)?.();
    await new Promise(setImmediate);
  }
}

const lanesOf = (most: number, mostPerLane: number, clock = new ManualClock()) =>
  new AttemptLanes({ most, mostPerLane, clock });

const names = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${lane}-${index}`);

describe('lanes', () => {
  it('give each its own share: one that hangs keeps nobody waiting', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(16, 4);
    for (const key of names('hanging', 100)) lanes.add(tasks.task(key));
    lanes.setFailing('hanging', false);
    expect(tasks.begun).toEqual(names('hanging', 4));
    lanes.add(tasks.task('other-0'));
    expect(tasks.begun.at(-1)).toBe('other-0');
  });

  it('give one two at a time until the first success, and its share from then on', async () => {
    const tasks = new Tasks();
    const lanes = lanesOf(16, 4);
    for (const key of names('a', 8)) lanes.add(tasks.task(key));
    expect(tasks.begun).toEqual(names('a', 2));
    lanes.setFailing('a', false);
    await tasks.end('a-0');
    expect(tasks.begun).toEqual(names('a', 5));
  });

  it('let no endpoint that fails and none that is new take a success of another for its own', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(16, 4);
    for (const lane of ['a', 'b', 'c']) for (const key of names(lane, 4)) lanes.add(tasks.task(key));
    lanes.setFailing('b', true);
    lanes.setFailing('a', false);
    expect(tasks.begun.toSorted()).toEqual([...names('a', 4), ...names('b', 2), ...names('c', 2)]);
  });

  it('take turns when there is not enough for all', async () => {
    const tasks = new Tasks();
    const lanes = lanesOf(2, 2);
    const isFailing = true;
    for (const lane of ['a', 'b', 'c']) {
      for (const key of names(lane, 4)) lanes.add(tasks.task(key, { isFailing }));
    }
    for (let ended = 0; ended < 12; ended += 1) await tasks.end(tasks.begun[ended]!);
    expect(tasks.begun).toHaveLength(12);
    // From when all three wait, each has one turn of three.
    expect(new Set(tasks.begun.slice(2, 5).map((key) => key[0]))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(tasks.begun.slice(5, 8).map((key) => key[0]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('leave half of everything to endpoints that work, however many fail', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(8, 4);
    for (let lane = 0; lane < 10; lane += 1) {
      for (const key of names(`dead${lane}`, 4)) lanes.add(tasks.task(key, { isFailing: true }));
    }
    expect(tasks.begun).toHaveLength(4);
    for (const key of names('good', 4)) lanes.add(tasks.task(key, { isFailing: false }));
    lanes.setFailing('good', false);
    expect(tasks.begun.slice(4)).toEqual(names('good', 4));
  });

  it('give one that fails two at a time, and its share again when it is back', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(16, 4);
    for (const key of names('a', 8)) lanes.add(tasks.task(key, { isFailing: true }));
    expect(tasks.begun).toHaveLength(2);
    lanes.setFailing('a', false);
    expect(tasks.begun).toHaveLength(4);
  });

  it('leave half of everything to other accounts', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(8, 8);
    for (const lane of ['a', 'b', 'c']) {
      for (const key of names(lane, 4)) lanes.add(tasks.task(key, { account: 'acme' }));
      lanes.setFailing(lane, false);
    }
    // Two of these are of the reserve.
    expect(tasks.begun).toEqual([...names('a', 4), 'b-0', 'c-0']);
    for (const key of names('x', 4)) lanes.add(tasks.task(key, { account: 'other' }));
    lanes.setFailing('x', false);
    expect(tasks.begun.slice(6)).toEqual(names('x', 4));
  });

  it('send a healthy endpoint one after the other, whatever others of its account and other accounts hold', async () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(8, 4, clock);
    for (const account of ['a', 'b']) {
      for (const lane of ['1', '2']) {
        for (const key of names(`${account}${lane}`, 8)) lanes.add(tasks.task(key, { account }));
        lanes.setFailing(`${account}${lane}`, false);
      }
    }
    // All is taken, also of what slow ones may have besides.
    clock.advance(2_000);
    clock.advance(2_000);
    const held = tasks.begun.length;
    for (const account of ['a', 'c']) {
      for (const key of names(`well${account}`, 3)) lanes.add(tasks.task(key, { account }));
    }
    expect(tasks.begun.slice(held)).toEqual(['wella-0', 'wellc-0']);
    for (const key of tasks.begun.slice(held)) await tasks.end(key);
    expect(tasks.begun.slice(held + 2)).toEqual(['wella-1', 'wellc-1']);
    expect(lanes.running).toBe(held + 2);
  });

  it('have nothing in reserve for what fails, was slow, or is a callback', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(2, 1);
    for (const lane of ['a', 'b']) lanes.add(tasks.task(`${lane}-0`));
    lanes.add(tasks.task('failing-0', { isFailing: true }));
    lanes.add(tasks.task('slow-0', { isSlow: true }));
    lanes.add(tasks.task('callback-0', { callback: { origin: 'https://a', path: '/', isRepeat: false } }));
    expect(tasks.begun).toEqual(['a-0', 'b-0']);
    lanes.add(tasks.task('well-0'));
    expect(tasks.begun).toEqual(['a-0', 'b-0', 'well-0']);
  });

  it('keep the reserve bounded, and half of it from any one account', () => {
    const tasks = new Tasks();
    const lanes = lanesOf(4, 1);
    for (const account of ['a', 'b', 'c']) {
      for (let lane = 0; lane < 8; lane += 1) lanes.add(tasks.task(`${account}${lane}-0`, { account }));
      if (account === 'a') expect(tasks.begun).toHaveLength(4);
    }
    expect(tasks.begun).toHaveLength(8);
  });

  it('give one that is slow its share while there is plenty, and one at a time where there is not', async () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(16, 4, clock);
    const account = 'acme';
    for (const lane of ['a', 'b', 'c']) {
      for (const key of names(lane, 12)) lanes.add(tasks.task(key, { account, isSlow: true }));
      lanes.setFailing(lane, false);
    }
    // The first four are half of what the account may have.
    const of = (lane: string) => tasks.begun.filter((key) => key.startsWith(lane)).length;
    expect([of('a'), of('b'), of('c')]).toEqual([4, 1, 1]);
    // A quick one has the whole again.
    await tasks.end('b-0');
    expect(of('b')).toBe(4);
  });

  it('count what fails until it ends, slow or not', async () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(4, 4, clock);
    for (const lane of ['a', 'b']) {
      for (const key of names(lane, 2)) lanes.add(tasks.task(key, { isFailing: true }));
    }
    expect(tasks.begun).toEqual(names('a', 2));
    clock.advance(30_000);
    expect(tasks.begun).toEqual(names('a', 2));
    await tasks.end('a-0');
    expect(tasks.begun).toEqual([...names('a', 2), 'b-0']);
  });

  it('let others of an account have more than one as soon as what hangs is slow, and none of the lane itself', async () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(8, 4, clock);
    for (const key of names('hanging', 9)) lanes.add(tasks.task(key, { account: 'acme' }));
    lanes.setFailing('hanging', false);
    for (const key of names('other', 2)) lanes.add(tasks.task(key, { account: 'acme' }));
    clock.advance(1_999);
    expect(tasks.begun).toEqual([...names('hanging', 4), 'other-0']);
    clock.advance(1);
    expect(tasks.begun).toEqual([...names('hanging', 4), ...names('other', 2)]);
  });

  it('leave most of the share of an account to its endpoints, however many callbacks hang', () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(32, 4, clock);
    const account = 'acme';
    for (let number = 0; number < 100; number += 1) {
      const callback = { origin: `https://${number}`, path: '/', isRepeat: number > 50 };
      lanes.add(tasks.task(`callbacks-${number}`, { account, callback }));
    }
    clock.advance(30_000);
    expect(tasks.begun).toHaveLength(6);
    for (const lane of ['a', 'b']) {
      for (const key of names(lane, 8)) lanes.add(tasks.task(key, { account }));
      lanes.setFailing(lane, false);
    }
    expect(tasks.begun.slice(6)).toEqual([...names('a', 4), ...names('b', 4)]);
  });

  it('give a path of callbacks the connections of its origin from a quick success on, and two after any other', async () => {
    const tasks = new Tasks();
    const clock = new ManualClock();
    const lanes = lanesOf(64, 4, clock);
    const callback = { origin: 'https://a', path: '/', isRepeat: false };
    for (const key of names('c', 20)) lanes.add(tasks.task(key, { callback }));
    expect(tasks.begun).toHaveLength(2);
    lanes.noteCallback('c', callback, true);
    await tasks.end('c-0');
    expect(tasks.begun).toHaveLength(5);
    clock.advance(2_000);
    lanes.noteCallback('c', callback, true);
    await tasks.end('c-1');
    expect(tasks.begun).toHaveLength(5);
  });

  it('run one of a group at a time, in order, and let others pass', async () => {
    const tasks = new Tasks();
    const lanes = lanesOf(16, 4);
    for (const key of names('a', 3)) lanes.add(tasks.task(key, { group: 'batch' }));
    lanes.add(tasks.task('a-9'));
    expect(tasks.begun).toEqual(['a-0', 'a-9']);
    await tasks.end('a-0');
    await tasks.end('a-1');
    expect(tasks.begun).toEqual(['a-0', 'a-9', 'a-1', 'a-2']);
  });

  it('run what is added twice once, and nothing that was taken away', async () => {
    const tasks = new Tasks();
    const lanes = lanesOf(2, 1);
    for (const key of ['a-0', 'a-0', 'a-1', 'a-1']) lanes.add(tasks.task(key));
    expect(lanes.remove('a', 'a-1')).toBe(true);
    // It runs, and so it stays.
    expect(lanes.remove('a', 'a-0')).toBe(false);
    await tasks.end('a-0');
    expect(tasks.begun).toEqual(['a-0']);
    lanes.add(tasks.task('a-0'));
    expect(tasks.begun).toEqual(['a-0', 'a-0']);
  });

  it('begin nothing after they were closed, and end with what runs', async () => {
    const tasks = new Tasks();
    const lanes = lanesOf(2, 1);
    lanes.add(tasks.task('a-0'));
    lanes.add(tasks.task('a-1'));
    let isClosed = false;
    const closed = lanes.close().then(() => (isClosed = true));
    lanes.add(tasks.task('b-0'));
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    await tasks.end('a-0');
    await closed;
    expect(tasks.begun).toEqual(['a-0']);
    expect(lanes.running).toBe(0);
  });
});
