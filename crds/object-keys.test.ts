import { describe, expect, test } from 'vitest';
import type { GenerationJob } from './kinds/generation-job.ts';
import { newId } from './ids.ts';
import {
  bucketPrefix,
  documentKeyOf,
  documentKeyOfId,
  endOfDay,
  hasTimedId,
  inputKeys,
  readTemplateSourceKey,
  recordKey,
  revisionKey,
  revisionTimeOf,
  templateSourceKey,
  timeOfBucket,
} from './object-keys.ts';

const CREATED = new Date('2026-11-21T03:07:41.500Z');

function job(name: string, creationTimestamp: string, namespace?: string): GenerationJob {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'GenerationJob',
    metadata: {
      name,
      uid: '0b1f6f3e-5a53-4f4f-9f61-2f6c7a1a8d10',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp,
      ...(namespace !== undefined && { namespace }),
    },
    spec: { templateRef: { name: 'invoice' }, data: {} },
  };
}

describe('Document buckets', () => {
  test.each([
    ['2026-11-21T03:05:00.000Z', 'documents/20261121T0305Z/'],
    ['2026-11-21T03:09:59.999Z', 'documents/20261121T0305Z/'],
    ['2026-11-21T03:10:00.000Z', 'documents/20261121T0310Z/'],
    ['2026-12-31T23:59:59.999Z', 'documents/20261231T2355Z/'],
  ])('a document created at %s belongs to %s', (time, prefix) => {
    expect(bucketPrefix(new Date(time))).toBe(prefix);
  });

  test('a bucket starts at or before the time of its contents and ends within five minutes', () => {
    expect(timeOfBucket(bucketPrefix(CREATED))).toEqual(new Date('2026-11-21T03:05:00Z'));
  });

  test.each(['documents/', 'documents/20261121T0305Z', 'documents/x/', 'revisions/20261121T0305Z/', ''])(
    '%j is not a valid bucket',
    (prefix) => {
      expect(timeOfBucket(prefix)).toBeUndefined();
    },
  );
});

describe('A document key', () => {
  test('depends only on the account and ID', () => {
    const id = newId('gen', CREATED);
    expect(documentKeyOfId('acme', id)).toBe(`documents/20261121T0305Z/acme/${id}`);
    expect(documentKeyOf(job(id, '2026-11-21T03:07:42Z', 'acme'))).toBe(documentKeyOfId('acme', id));
  });

  test('is undefined for a name that is not an ID', () => {
    expect(documentKeyOfId('acme', 'invoice-1')).toBeUndefined();
    expect(documentKeyOfId('acme', 'gen-7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBeUndefined();
  });

  test('uses the uid and the creation time for a job with a custom name', () => {
    const key = documentKeyOf(job('invoice-1', '2026-11-21T03:12:00Z', 'acme'));
    expect(key).toBe('documents/20261121T0310Z/acme/0b1f6f3e-5a53-4f4f-9f61-2f6c7a1a8d10');
  });

  test('uses the uid if the time in the ID differs from the creation time', () => {
    const id = newId('gen', CREATED);
    expect(documentKeyOf(job(id, '2026-11-21T05:00:00Z', 'acme'))).toMatch(/T0500Z\/acme\/0b1f6f3e-/);
  });

  test('uses the namespace default if the job does not name a namespace', () => {
    expect(documentKeyOf(job('invoice-1', '2026-11-21T03:12:00Z'))).toContain('/default/');
  });
});

describe('hasTimedId', () => {
  const id = newId('gen', CREATED);

  test.each([
    ['at its own time', '2026-11-21T03:07:41Z', true],
    ['five minutes before the resource', '2026-11-21T03:12:41Z', true],
    ['more than five minutes before the resource', '2026-11-21T03:12:42Z', false],
    ['almost five minutes after the resource', '2026-11-21T03:02:42Z', true],
    ['more than five minutes after the resource', '2026-11-21T03:02:41Z', false],
  ])(
    'for an ID generated %s and a resource created at %s returns %s',
    (_what, creationTimestamp, trusted) => {
      expect(hasTimedId(job(id, creationTimestamp))).toBe(trusted);
    },
  );

  test('returns false for an ID of another kind', () => {
    expect(hasTimedId(job(newId('tpl', CREATED), '2026-11-21T03:07:41Z'))).toBe(false);
    expect(hasTimedId(job('invoice-1', '2026-11-21T03:07:41Z'))).toBe(false);
  });
});

test("a document's input and record are stored next to it", () => {
  const key = 'documents/20261121T0305Z/acme/gen-1';
  expect([...inputKeys(key), recordKey(key)]).toEqual([`${key}.data`, `${key}.attachments`, `${key}.record`]);
});

describe('Revision and source keys', () => {
  const digest = 'a'.repeat(64);

  test('contain the day, account and content hash', () => {
    expect(revisionKey('acme', digest, CREATED)).toBe(`revisions/20261121/acme/${digest}`);
    expect(templateSourceKey('acme', digest, CREATED)).toBe(`sources/20261121/acme/${digest}`);
  });

  test.each([
    ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
  ])('created at %s belong to a day that ends at %s', (time, end) => {
    const [root, day] = revisionKey('acme', digest, new Date(time)).split('/');
    expect(endOfDay(`${root}/${day}/`)).toEqual(new Date(end));
  });

  test.each(['revisions/acme/', 'revisions/20261321/', 'revisions/2026112/', 'documents/20261121T0305Z/'])(
    '%s is not a valid day prefix',
    (prefix) => expect(endOfDay(prefix)).toBeUndefined(),
  );

  const id = newId('gen', CREATED);
  test.each([
    ['of its ID', id, '2026-11-22T03:07:41.000Z', CREATED.toISOString()],
    ['of its ID, which a fast clock generated', id, '2026-11-20T23:59:59.000Z', CREATED.toISOString()],
    ['of the resource when the ID is a day older', id, '2026-11-22T03:07:42.000Z', undefined],
    ['of the resource when it has no ID', 'by-hand', '2026-11-21T09:00:00.000Z', undefined],
    ['of the resource if the ID is not a job', newId('tpl', CREATED), '2026-11-21T09:00:00.000Z', undefined],
  ])('of a job use the time %s', (_what, name, created, time = created) => {
    expect(revisionTimeOf(job(name, created)).toISOString()).toBe(time);
  });

  test('a source key names its account, and no other key is a source key', () => {
    const key = templateSourceKey('acme', digest, CREATED);
    expect(readTemplateSourceKey(key)).toEqual({ account: 'acme', sha256: digest });
    for (const other of [`${key}/x`, `x${key}`, key.slice(0, -1), revisionKey('acme', digest, CREATED)]) {
      expect(readTemplateSourceKey(other)).toBeUndefined();
    }
  });
});
