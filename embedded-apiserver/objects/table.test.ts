import { expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';
import { age, humanDuration } from './table.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [0, '0s'],
  [119 * SECOND, '119s'],
  [2 * MINUTE, '2m'],
  [3 * MINUTE + 7 * SECOND, '3m7s'],
  [10 * MINUTE, '10m'],
  [179 * MINUTE, '179m'],
  [3 * HOUR + 5 * MINUTE, '3h5m'],
  [8 * HOUR, '8h'],
  [47 * HOUR, '47h'],
  [2 * DAY + 3 * HOUR, '2d3h'],
  [8 * DAY, '8d'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [800 * DAY, '2y70d'],
  [-500, '0s'],
  [-5000, '<invalid>'],
])('Age formats %d ms as %s, like kubectl', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

it('Age formats an invalid time as unknown', () => {
  expect(age('yesterday', new Date())).toBe('<unknown>');
});

it.each(['', 'spec.name', '.spec[?(@.a > 1)]', '..name', '.a[0]', '.a[*]'])(
  'compileJsonPath rejects %s at startup',
  (path) => {
    expect(() => compileJsonPath(path)).toThrow(path);
  },
);
