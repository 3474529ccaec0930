import { expect, it } from 'vitest';
import { isId, newId, timeOfId } from './ids.ts';

const NOON = new Date('2026-11-21T12:00:00.123Z');

it('an ID contains its kind and its time in milliseconds', () => {
  const id = newId('gen', NOON);
  expect(isId('gen', id)).toBe(true);
  expect(isId('tpl', id)).toBe(false);
  expect(timeOfId(id)).toEqual(NOON);
});

it('IDs created in the same millisecond are unique and sort in creation order', () => {
  const ids = Array.from({ length: 1000 }, () => newId('tpl', NOON));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.map((id) => timeOfId(id)?.getTime())).toEqual(ids.map(() => NOON.getTime()));
});

it('IDs follow a clock that is set back', () => {
  newId('gen', NOON);
  const earlier = new Date(NOON.getTime() - 60_000);
  expect(timeOfId(newId('gen', earlier))).toEqual(earlier);
});

it.each([
  'gen-',
  'gen-01jd5x',
  'gen-81jd5xzzzzzzzzzzzzzzzzzzzz',
  'gen-7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'gen-01jd5xzzzzzzzzzzzzzzzzzzzi',
  ' gen-01jd5xzzzzzzzzzzzzzzzzzzzz',
  'gen-01jd5xzzzzzzzzzzzzzzzzzzzz\n',
  'doc-01jd5xzzzzzzzzzzzzzzzzzzzz',
  'gen-01JD5XZZZZZZZZZZZZZZZZZZZZ',
  'invoice',
  '',
])('%j is not a valid ID', (text) => {
  expect(isId('gen', text)).toBe(false);
  expect(timeOfId(text)).toBeUndefined();
});

it('the last ID of the year 9999 is valid and the first of the year 10000 is not', () => {
  expect(isId('gen', newId('gen', new Date('9999-12-31T23:59:59.999Z')))).toBe(true);
  expect(isId('gen', newId('gen', new Date(Date.UTC(10_000, 0, 1))))).toBe(false);
});
