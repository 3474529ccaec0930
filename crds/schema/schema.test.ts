import { expect, it } from 'vitest';
import { isDateTime } from './schema.ts';

it.each([
  ['2026-11-21T12:00:00Z', true],
  ['2026-11-21T12:00:00.123456+02:00', true],
  ['2024-02-29T00:00:00Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-11-21T24:00:00Z', false],
  ['2026-11-21', false],
  ['2026-11-21 12:00:00Z', false],
])('isDateTime %s returns %s', (text, expected) => {
  expect(isDateTime(text)).toBe(expected);
});
