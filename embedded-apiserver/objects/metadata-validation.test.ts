import { describe, expect, it } from 'vitest';
import { validateMetadata, validateMetadataUpdate } from './metadata-validation.ts';
import type { StoredMeta } from './stored-object.ts';

const meta = (rest: Partial<StoredMeta> = {}): StoredMeta => ({
  name: 'a',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-11-21T12:00:00Z',
  ...rest,
});
const fields = (rest: Partial<StoredMeta>, label = false) =>
  validateMetadata(meta(rest), label).map(({ field, reason }) => `${field} ${reason}`);

describe('validateMetadata', () => {
  it.each(['a', 'a.b', 'a-b.c-1', '0', 'x'.repeat(253)])('accepts the name %s', (name) => {
    expect(fields({ name })).toEqual([]);
  });

  it.each(['A', 'a_b', '-a', 'a-', '.a', 'a..b', 'a/b', 'ä', ' ', 'x'.repeat(254)])(
    'rejects the name %s',
    (name) => {
      expect(fields({ name })).toEqual(['metadata.name FieldValueInvalid']);
    },
  );

  it('requires a name', () => {
    expect(fields({ name: '' })).toEqual(['metadata.name FieldValueRequired']);
  });

  it('rejects dots in a name that must be a DNS label', () => {
    expect(fields({ name: 'a.b' }, true)).toEqual(['metadata.name FieldValueInvalid']);
    expect(fields({ name: 'x'.repeat(64) }, true)).toEqual(['metadata.name FieldValueInvalid']);
  });

  it('requires qualified label names and short label values', () => {
    expect(fields({ labels: { 'example.com/part_1.x': 'Value_1.2', plain: '' } })).toEqual([]);
    expect(fields({ labels: { 'a/b/c': 'x', '/a': 'x', 'A.com/x': 'x', 'x y': 'x' } })).toHaveLength(4);
    expect(fields({ labels: { a: 'x'.repeat(64), b: '-x', c: 'x y' } })).toHaveLength(3);
  });

  it('limits the annotations to 256 KiB in total', () => {
    expect(fields({ annotations: { a: 'x'.repeat(256 * 1024 - 1) } })).toEqual([]);
    expect(fields({ annotations: { a: 'x'.repeat(256 * 1024) } })).toEqual([
      'metadata.annotations FieldValueTooLong',
    ]);
  });

  it('requires complete owner references and at most one controller', () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'x', uid: '1', controller: true };
    expect(fields({ ownerReferences: [owner] })).toEqual([]);
    expect(fields({ ownerReferences: [owner, owner] })).toEqual([
      'metadata.ownerReferences FieldValueInvalid',
    ]);
    expect(fields({ ownerReferences: [{ ...owner, kind: '', uid: '' }] })).toEqual([
      'metadata.ownerReferences.kind FieldValueInvalid',
      'metadata.ownerReferences.uid FieldValueInvalid',
    ]);
  });
});

describe('validateMetadataUpdate', () => {
  it('rejects a change of the identity or the deletion timestamp', () => {
    const errors = validateMetadataUpdate(
      meta({ uid: 'other', deletionTimestamp: '2026-11-21T12:00:00Z' }),
      meta(),
    );
    expect(errors.map(({ field }) => field)).toEqual(['metadata.uid', 'metadata.deletionTimestamp']);
  });

  it('rejects new finalizers on a terminating object, but allows their removal', () => {
    const old = meta({ deletionTimestamp: '2026-11-21T12:00:00Z', finalizers: ['a/b', 'c/d'] });
    expect(validateMetadataUpdate({ ...old, finalizers: ['a/b'] }, old)).toEqual([]);
    expect(validateMetadataUpdate({ ...old, finalizers: ['a/b', 'e/f'] }, old)).toMatchObject([
      { reason: 'FieldValueForbidden', field: 'metadata.finalizers' },
    ]);
  });
});
