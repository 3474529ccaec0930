import { MAX_OTHER_VALUES } from '@trifold/crds/limits.ts';
import { describe, expect, it } from 'vitest';
import { bodyFingerprint, bodyOf, readLargeBody } from './large-body.ts';
import { RawJson } from './raw-json.ts';

const read = (body: unknown, withFingerprint = false) =>
  readLargeBody(Buffer.from(JSON.stringify(body)), withFingerprint);

/** Returns a body with its data parsed and back in place. */
function whole(value: unknown): unknown {
  if (value instanceof RawJson) return JSON.parse(Buffer.from(value.json).toString());
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, whole(member)]));
}

describe('A large body', () => {
  it.each<[string, unknown]>([
    ['of a document', { template_id: 't', data: { a: [1, { b: 'ä' }] }, options: { page_size: 'a4' } }],
    ['of a batch', { items: [{ data: { a: 1 } }, { data: {} }, { other: 1 }, 7, { data: 'text' }] }],
    ['of samples', { name: 'Letter', samples: [{ name: 'A', data: { a: 1 } }, 7] }],
    ['without data', { name: 'Letter', html: '<p>' }],
    ['that is not an object', [1, 2]],
    ['that is null', null],
  ])('is unchanged after it is reassembled: %s', (_what, body) => {
    const reading = read(body);
    if (reading.status !== 'read') throw new Error(reading.status);
    expect(whole(bodyOf(reading))).toEqual(body);
  });

  it('contains its data only as JSON text', () => {
    const list = [{ data: { secret: 2 } }];
    const reading = read({ data: { secret: 1 }, items: list, samples: list });
    const body = { data: {}, items: [{ data: {} }], samples: [{ data: {} }] };
    expect(reading).toMatchObject({ status: 'read', body });
  });

  it('has the same fingerprint as an equal small body', () => {
    for (const body of [
      { data: { b: 1, a: 2 }, x: 1 },
      { items: [{ data: { b: 1, a: 2 } }], x: 1 },
    ]) {
      expect(read(body, true)).toMatchObject({ fingerprint: bodyFingerprint(body) });
    }
  });

  it('is rejected if it has too many values outside its data', () => {
    const many = Array.from({ length: MAX_OTHER_VALUES }, () => 0);
    expect(read({ data: { many } })).toMatchObject({ status: 'read' });
    expect(read({ data: {}, many })).toEqual({ status: 'too_many_values' });
    expect(read(many)).toEqual({ status: 'too_many_values' });
  });

  it('keeps only as much of invalid data and excess items as it needs to reject them', () => {
    const reading = read({ data: [1, 2, 3], items: Array.from({ length: 5000 }, () => 0) });
    expect(reading).toMatchObject({ status: 'read', body: { data: [], items: { length: 101 } } });
  });

  it('reports what is wrong and where', () => {
    const problem = { path: '/data/a', message: expect.stringContaining('surrogate') as string };
    const lone = Buffer.from('{"data":{"a":"\\udfff"}}');
    expect(readLargeBody(lone, false)).toMatchObject({ status: 'invalid', problem });
  });

  it('does not become an empty object when serialized as JSON', () => {
    expect(() => JSON.stringify({ data: new RawJson(Buffer.from('{}')) })).toThrow(
      'RawJson cannot be written',
    );
  });
});
