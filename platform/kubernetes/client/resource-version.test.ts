import { expect, it } from 'vitest';
import { isOlderVersion } from './resource-version.ts';

it.each([
  ['9', '10', true],
  ['10', '9', false],
  ['10', '10', false],
  ['18446744073709551616', '18446744073709551617', true],
  ['18446744073709551617', '18446744073709551616', false],
  ['abc', '10', false],
  ['10', 'abc', false],
  ['', '10', false],
  ['007', '10', false],
])('version %j is older than %j: %s', (candidate, current, older) => {
  expect(isOlderVersion(candidate, current)).toBe(older);
});
