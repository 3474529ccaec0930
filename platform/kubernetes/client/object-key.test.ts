import { expect, it } from 'vitest';
import { formatKey, parseKey } from './object-key.ts';

it.each([
  ['default', 'a', 'default/a'],
  [undefined, 'a.b-c', '/a.b-c'],
])('formats namespace %j and name %j as %s and parses it back', (namespace, name, text) => {
  expect(formatKey(namespace, name)).toBe(text);
  expect(parseKey(text)).toEqual(namespace === undefined ? { name } : { namespace, name });
});
