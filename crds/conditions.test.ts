import { expect, test } from 'vitest';
import { withCondition, type Condition, MAX_CONDITIONS } from './conditions.ts';

const NOW = new Date('2026-11-21T03:05:07.890Z');
const READY: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Compiled',
  message: '',
  lastTransitionTime: '2026-11-20T00:00:00Z',
  observedGeneration: 1,
};

test('a new condition gets the current time in whole seconds as its transition time', () => {
  const { lastTransitionTime: _before, ...next } = READY;
  expect(withCondition(undefined, next, NOW)).toEqual([
    { ...READY, lastTransitionTime: '2026-11-21T03:05:07Z' },
  ]);
});

test('the transition time does not change while the status is the same, even if other fields change', () => {
  const next = { type: 'Ready', status: 'True', reason: 'New', message: 'm', observedGeneration: 2 } as const;
  expect(withCondition([READY], next, NOW)).toEqual([
    { ...next, lastTransitionTime: READY.lastTransitionTime },
  ]);
});

test('the transition time changes when the status changes', () => {
  const [changed] = withCondition([READY], { ...READY, status: 'Unknown' }, NOW);
  expect(changed).toMatchObject({ status: 'Unknown', lastTransitionTime: '2026-11-21T03:05:07Z' });
});

test('setting a condition keeps the other conditions and does not modify the given list', () => {
  const stale = { ...READY, type: 'Stale' };
  const given = Object.freeze([READY, stale]);
  const list = withCondition(given, { ...READY, status: 'False' }, NOW);
  expect(list.map(({ type, status }) => `${type} ${status}`)).toEqual(['Stale True', 'Ready False']);
  expect(given).toEqual([READY, stale]);
});

test('a full list drops its oldest conditions first', () => {
  const given = Array.from({ length: MAX_CONDITIONS }, (_, index) => ({ ...READY, type: `Mine${index}` }));
  const list = withCondition(given, READY, NOW);
  expect(list).toHaveLength(MAX_CONDITIONS);
  expect(list.at(0)?.type).toBe('Mine1');
  expect(list.at(-1)?.type).toBe('Ready');
});
