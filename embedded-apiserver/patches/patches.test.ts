import { expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch, applyStrategicMergePatch } from './merge-patch.ts';

it('A merge patch changes neither the original object nor any prototype', () => {
  const target = { a: { b: 1 } };
  const patched = applyMergePatch(target, JSON.parse('{"a":{"b":2},"__proto__":{"polluted":true}}'));
  expect(target).toEqual({ a: { b: 1 } });
  expect(Object.keys(patched as object)).toEqual(['a', '__proto__']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** Nests a list in a list, and so on. */
const pathOf = (depth: number) => `/list${'/0'.repeat(depth)}`;
const DEEP = Array.from({ length: 1000 }, (_, depth) => ({ op: 'add', path: pathOf(depth), value: [] }));

it.each([
  ['large', 413, Array.from({ length: 40 }, () => ({ op: 'copy', from: '/list', path: '/list/-' }))],
  ['deep', 422, DEEP],
])('JSON patch rejects operations that would together make the object too %s', (_, code, patch) => {
  expect(() => applyJsonPatch({ list: ['x'.repeat(1000)] }, patch)).toThrow(
    expect.objectContaining({ status: expect.objectContaining({ code }) as unknown }),
  );
});

it('A JSON patch cannot reach a prototype', () => {
  const patch = JSON.parse('[{"op":"add","path":"/__proto__/polluted","value":true}]') as unknown;
  try {
    applyJsonPatch({ a: 1 }, patch);
  } catch {
    // An error is as acceptable as ignoring the property.
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it.each([
  { metadata: { finalizers: ['a/b'] } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': [] } },
  { metadata: { labels: { $patch: 'replace', z: '1' } } },
])(
  'Strategic merge patching of a built-in kind rejects lists and directives, which are not part of a merge patch: %j',
  (patch) => {
    expect(() => applyStrategicMergePatch({}, patch)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400 }) as unknown }),
    );
  },
);
