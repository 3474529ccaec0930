import { describe, expect, it } from 'vitest';
import { CallbackLane } from './callback-lane.ts';
import type { LaneTask } from './lane.ts';

let made = 0;

function task(origin: string, path: string, isRepeat = false): LaneTask {
  made += 1;
  const callback = { origin, path, isRepeat };
  return { key: `${made}`, lane: 'callbacks', account: 'acme', callback, run: async () => undefined };
}

/** A lane of eight connections for what is new, and four for what failed before. */
const laneOf = (...tasks: LaneTask[]) => {
  const lane = new CallbackLane({ most: 64, mostPerLane: 8 });
  for (const each of tasks) lane.add(each);
  return lane;
};

/** Begins all that may begin, and answers where these go. */
function beginAll(lane: CallbackLane): string[] {
  const begun: string[] = [];
  for (let next = lane.first(); next; next = lane.first()) {
    lane.begin(next);
    begun.push(`${next.callback?.origin}${next.callback?.path}`);
  }
  return begun;
}

const times = (count: number, make: (index: number) => LaneTask) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the callbacks of an account', () => {
  it('to a path that hangs hold up none to another path of the same host', () => {
    const lane = laneOf(...times(100, () => task('a', '/hang')));
    expect(beginAll(lane)).toEqual(['a/hang', 'a/hang']);
    for (const each of times(2, () => task('a', '/ok'))) lane.add(each);
    expect(beginAll(lane)).toEqual(['a/ok', 'a/ok']);
  });

  it('to one host have half of the connections at most, and the paths take turns', () => {
    const lane = laneOf(...times(20, (index) => task('a', `/${index % 10}`)));
    expect(beginAll(lane)).toEqual(['a/0', 'a/1', 'a/2', 'a/3']);
    for (const each of times(20, (index) => task('b', `/${index}`))) lane.add(each);
    expect(beginAll(lane)).toHaveLength(4);
    lane.add(task('c', '/'));
    expect(beginAll(lane)).toEqual([]);
  });

  it('that failed before have connections of their own', () => {
    const lane = laneOf(...times(100, (index) => task(`${index}`, '/hang', true)));
    expect(beginAll(lane)).toHaveLength(4);
    for (const each of times(100, (index) => task(`${index}`, '/'))) lane.add(each);
    expect(beginAll(lane)).toHaveLength(8);
    expect(lane.running).toBe(12);
  });

  it('to a path that works have all of its host, until one fails or is slow', () => {
    const first = task('a', '/');
    const lane = laneOf(first, ...times(100, () => task('a', '/')));
    expect(beginAll(lane)).toHaveLength(2);
    lane.note(first.callback!, true);
    expect(beginAll(lane)).toHaveLength(2);
    lane.note(first.callback!, false);
    lane.end(first, false);
    expect(beginAll(lane)).toHaveLength(0);
    lane.note(first.callback!, true);
    lane.noteSlow(first);
    expect(beginAll(lane)).toHaveLength(0);
  });

  it('are gone when they were taken away, and have everything again when they have ended', () => {
    const tasks = times(6, () => task('a', '/'));
    const lane = laneOf(...tasks);
    beginAll(lane);
    const [first, second, third, ...rest] = tasks;
    expect(lane.remove(first!.key)).toBe(false);
    expect(lane.remove(third!.key)).toBe(true);
    expect(lane.waiting.size).toBe(3);
    for (const each of [first!, second!]) lane.end(each, false);
    expect(lane.first()).toBe(rest[0]);
    lane.clear();
    expect(lane.first()).toBeUndefined();
    expect(lane.isIdle).toBe(true);
  });
});
