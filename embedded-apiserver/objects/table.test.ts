import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';
import { age, customCell, humanDuration } from './table.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('ages are written as kubectl writes them', () => {
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
  ])('%d ms is %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });

  it('and what is no time is unknown', () => {
    expect(age('yesterday', new Date())).toBe('<unknown>');
  });
});

describe('the JSONPath of a column', () => {
  const object = {
    spec: { name: 'x', scopes: ['a', 'b'] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
  };

  it.each([
    ['.spec.name', ['x']],
    ['.spec.scopes', [['a', 'b']]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ['.status.conditions[?(@.type=="Absent")].status', []],
    ['.status.nothing.at.all', []],
    ['.spec.__proto__', []],
  ])('%s finds what is there', (path, found) => {
    expect(compileJsonPath(path)(object)).toEqual(found);
  });

  it.each(['', 'spec.name', '.spec[?(@.a > 1)]', '..name', '.a[0]', '.a[*]'])(
    '%s is a mistake told at start',
    (path) => {
      expect(() => compileJsonPath(path)).toThrow(path);
    },
  );
});

describe('the cell of a custom column', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const cell = (type: string, value: unknown) => customCell(type, () => [value])({} as never, now);

  it('shows texts and numbers as they are, lists as JSON, dates as ages and nothing for nothing', () => {
    expect(cell('string', 'x')).toBe('x');
    expect(cell('string', ['x'])).toBe('["x"]');
    expect(cell('integer', 3)).toBe(3);
    expect(cell('integer', 'three')).toBeNull();
    expect(cell('date', '2026-11-21T11:00:00Z')).toBe('60m');
    expect(cell('string', undefined)).toBeNull();
  });
});
