import { expect, test } from 'vitest';
import {
  isConditionTrue,
  toKubernetesTime,
  withCondition,
  type Condition,
  MOST_CONDITIONS,
} from './conditions.ts';

const NOW = new Date('2026-11-21T03:05:07.890Z');
const READY: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Compiled',
  message: '',
  lastTransitionTime: '2026-11-20T00:00:00Z',
  observedGeneration: 1,
};

test('a first condition has the time of now, in whole seconds', () => {
  const { lastTransitionTime: _before, ...next } = READY;
  expect(withCondition(undefined, next, NOW)).toEqual([
    { ...READY, lastTransitionTime: '2026-11-21T03:05:07Z' },
  ]);
});

test('the time of transition stays while the status does, whatever else changes', () => {
  const next = {
    type: 'Ready',
    status: 'True',
    reason: 'Other',
    message: 'm',
    observedGeneration: 2,
  } as const;
  expect(withCondition([READY], next, NOW)).toEqual([
    { ...next, lastTransitionTime: READY.lastTransitionTime },
  ]);
});

test('the time of transition moves when the status does', () => {
  const [changed] = withCondition([READY], { ...READY, status: 'Unknown' }, NOW);
  expect(changed).toMatchObject({ status: 'Unknown', lastTransitionTime: '2026-11-21T03:05:07Z' });
});

test('other conditions are kept, and the list that was given is left alone', () => {
  const stale = { ...READY, type: 'Stale' };
  const given = Object.freeze([READY, stale]);
  const list = withCondition(given, { ...READY, status: 'False' }, NOW);
  expect(list.map(({ type, status }) => `${type} ${status}`)).toEqual(['Stale True', 'Ready False']);
  expect(given).toEqual([READY, stale]);
});

test('where the list is full, the conditions that were there first give way', () => {
  const given = Array.from({ length: MOST_CONDITIONS }, (_, index) => ({ ...READY, type: `Mine${index}` }));
  const list = withCondition(given, READY, NOW);
  expect(list).toHaveLength(MOST_CONDITIONS);
  expect(list.at(0)?.type).toBe('Mine1');
  expect(list.at(-1)?.type).toBe('Ready');
});

test.each([
  [[READY], 'Ready', true],
  [[{ ...READY, status: 'False' as const }], 'Ready', false],
  [[{ ...READY, status: 'Unknown' as const }], 'Ready', false],
  [[READY], 'Complete', false],
  [[], 'Ready', false],
  [undefined, 'Ready', false],
])('%j has %s: %s', (conditions, type, expected) => {
  expect(isConditionTrue(conditions, type)).toBe(expected);
});

test('times are written as metav1.Time, cut to the second', () => {
  expect(toKubernetesTime(new Date('2026-11-21T03:05:07.999Z'))).toBe('2026-11-21T03:05:07Z');
});
