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

describe('metadata', () => {
  it.each(['a', 'a.b', 'a-b.c-1', '0', 'x'.repeat(253)])('may have the name %s', (name) => {
    expect(fields({ name })).toEqual([]);
  });

  it.each(['A', 'a_b', '-a', 'a-', '.a', 'a..b', 'a/b', 'ä', ' ', 'x'.repeat(254)])(
    'may not have the name %s',
    (name) => {
      expect(fields({ name })).toEqual(['metadata.name FieldValueInvalid']);
    },
  );

  it('needs a name', () => {
    expect(fields({ name: '' })).toEqual(['metadata.name FieldValueRequired']);
  });

  it('has a name without dots where it is a label', () => {
    expect(fields({ name: 'a.b' }, true)).toEqual(['metadata.name FieldValueInvalid']);
    expect(fields({ name: 'x'.repeat(64) }, true)).toEqual(['metadata.name FieldValueInvalid']);
  });

  it('has labels with qualified names and short values', () => {
    expect(fields({ labels: { 'example.com/part_1.x': 'Value_1.2', plain: '' } })).toEqual([]);
    expect(fields({ labels: { 'a/b/c': 'x', '/a': 'x', 'A.com/x': 'x', 'x y': 'x' } })).toHaveLength(4);
    expect(fields({ labels: { a: 'x'.repeat(64), b: '-x', c: 'x y' } })).toHaveLength(3);
  });

  it('has annotations of 256 KiB in all', () => {
    expect(fields({ annotations: { a: 'x'.repeat(256 * 1024 - 1) } })).toEqual([]);
    expect(fields({ annotations: { a: 'x'.repeat(256 * 1024) } })).toEqual([
      'metadata.annotations FieldValueTooLong',
    ]);
  });

  it('has whole owner references and one controller', () => {
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

describe('an update of metadata', () => {
  it('keeps identity and deletion', () => {
    const errors = validateMetadataUpdate(
      meta({ uid: 'other', deletionTimestamp: '2026-11-21T12:00:00Z' }),
      meta(),
    );
    expect(errors.map(({ field }) => field)).toEqual(['metadata.uid', 'metadata.deletionTimestamp']);
  });

  it('adds no finalizer to what is being deleted, but may take some away', () => {
    const old = meta({ deletionTimestamp: '2026-11-21T12:00:00Z', finalizers: ['a/b', 'c/d'] });
    expect(validateMetadataUpdate({ ...old, finalizers: ['a/b'] }, old)).toEqual([]);
    expect(validateMetadataUpdate({ ...old, finalizers: ['a/b', 'e/f'] }, old)).toMatchObject([
      { reason: 'FieldValueForbidden', field: 'metadata.finalizers' },
    ]);
  });
});
