import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch, applyStrategicMergePatch } from './merge-patch.ts';

describe('Merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('changes %j with %j as RFC 7386 specifies', (target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });

  it('changes neither the original object nor any prototype', () => {
    const target = { a: { b: 1 } };
    const patched = applyMergePatch(target, JSON.parse('{"a":{"b":2},"__proto__":{"polluted":true}}'));
    expect(target).toEqual({ a: { b: 1 } });
    expect(Object.keys(patched as object)).toEqual(['a', '__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('JSON patch', () => {
  const target = { metadata: { labels: { 'a/b': 'x' } }, list: [1, 2] };

  it('applies its operations in order to a copy', () => {
    const patched = applyJsonPatch(target, [
      { op: 'test', path: '/metadata/labels/a~1b', value: 'x' },
      { op: 'add', path: '/list/-', value: 3 },
      { op: 'move', from: '/list/0', path: '/first' },
      { op: 'remove', path: '/metadata' },
    ]);
    expect(patched).toEqual({ list: [2, 3], first: 1 });
    expect(target.list).toEqual([1, 2]);
  });

  it.each([
    [{ op: 'test', path: '/list', value: [1] }],
    [{ op: 'remove', path: '/nothing' }],
    [{ op: 'replace', path: '/nothing', value: 1 }],
    [{ op: 'add', path: '/list/9', value: 1 }],
    [{ op: 'add', path: 'list', value: 1 }],
    [{ op: 'copy', from: '/nothing', path: '/x' }],
    [{ op: 'jump', path: '/list' }],
    [{ path: '/list' }],
  ])('rejects an operation that does not apply with 422: %j', (operation) => {
    expect(() => applyJsonPatch(target, [operation])).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 422 }) as unknown }),
    );
  });

  it('rejects anything but a list of operations with 400', () => {
    for (const patch of [{}, 'x', null, [1]])
      expect(() => applyJsonPatch(target, patch)).toThrow(
        expect.objectContaining({ status: expect.objectContaining({ code: 400 }) as unknown }),
      );
  });

  it('rejects repeated copies that would make the object too large', () => {
    const copies = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/list', path: '/list/-' }));
    expect(() => applyJsonPatch({ list: ['x'.repeat(1000)] }, copies)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 413 }) as unknown }),
    );
  });

  it('cannot reach a prototype', () => {
    const patch = JSON.parse('[{"op":"add","path":"/__proto__/polluted","value":true}]') as unknown;
    try {
      applyJsonPatch({ a: 1 }, patch);
    } catch {
      // An error is as good as ignoring the member.
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('Strategic merge patch of a built-in kind', () => {
  it('merges maps', () => {
    expect(applyStrategicMergePatch({ data: { a: '1', b: '2' } }, { data: { a: null, c: '3' } })).toEqual({
      data: { b: '2', c: '3' },
    });
  });

  it.each([
    { metadata: { finalizers: ['a/b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [] } },
    { metadata: { labels: { $patch: 'replace', z: '1' } } },
  ])('rejects lists and directives, which a merge patch does not have: %j', (patch) => {
    expect(() => applyStrategicMergePatch({}, patch)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400 }) as unknown }),
    );
  });
});
