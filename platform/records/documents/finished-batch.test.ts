import type { Batch } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { acceptedItem, ownItemsPrefix } from './accepted-work.ts';
import { batchRecordOf, decodeBatchRecord } from './finished-batch.ts';

const NAME = 'bat-01m7yzmhg0vaqj9wbz3kmt47vc';
const NAMED = { name: NAME, namespace: 'acme', uid: 'u-1' };
const BATCH: Batch = {
  apiVersion: 'trifold.dev/v1alpha1',
  kind: 'Batch',
  metadata: { ...NAMED, resourceVersion: '7', generation: 1, creationTimestamp: '2026-11-21T12:00:01Z' },
  spec: {
    templateRef: { name: 'invoice' },
    revision: 'a'.repeat(64),
    version: 3,
    itemsRef: { prefix: `documents/20261121T1200Z/acme/${NAME}/`, size: 40 },
    total: 2,
    keyId: 'key-1',
  },
};
const ITEMS = [
  { index: 1, phase: 'Failed', error: { code: 'data_missing', message: 'there is none' } },
  { index: 0, phase: 'Completed', size: 1000, pages: 1, renderTimeMs: 12 },
] as const;

describe('A batch record', () => {
  it('has the same content as the resource, with items in order', () => {
    const finishedAt = '2026-11-21T12:00:05.000Z';
    const status = { phase: 'Completed', completed: 1, failed: 1, finishedAt } as const;
    const record = batchRecordOf({ ...BATCH, status: { ...status, items: [...ITEMS] } });
    const expected = {
      id: NAME,
      uid: 'u-1',
      template: 'invoice',
      version: 3,
      format: 'pdf',
      mode: 'live',
      keyId: 'key-1',
      total: 2,
      createdAt: '2026-11-21T12:00:00.000Z',
      expiresAt: '2026-11-22T12:00:00.000Z',
      status: 'completed',
      completed: 1,
      failed: 1,
      items: [ITEMS[1], ITEMS[0]],
    };
    expect(record && decodeBatchRecord(Buffer.from(JSON.stringify(record)))).toEqual(expected);
  });

  it('does not exist while the batch is in progress', () => {
    expect(batchRecordOf({ ...BATCH, status: { phase: 'Processing', completed: 1 } })).toBeUndefined();
  });

  it('is not decoded from the record of a failed document', () => {
    expect(decodeBatchRecord(Buffer.from('{"id":"gen-1","error":{}}'))).toBeUndefined();
  });
});

it('Batch files name their batch, item and API key', () => {
  expect(acceptedItem({ ...BATCH, spec: { ...BATCH.spec, mode: 'test' } }, 1)).toEqual({
    id: `${NAME}/1`,
    uid: 'u-1',
    template: 'invoice',
    version: 3,
    format: 'pdf',
    mode: 'test',
    keyId: 'key-1',
    createdAt: '2026-11-21T12:00:00.000Z',
    expiresAt: '2026-11-22T12:00:00.000Z',
  });
});

it.each([
  ['with an ID', NAME, '2026-11-21T12:00:01Z', `documents/20261121T1200Z/acme/${NAME}/`],
  ['with an ID from hours earlier', NAME, '2026-11-21T22:00:00Z', `documents/20261121T1200Z/acme/${NAME}/`],
  ['with an ID from the future', NAME, '2026-11-21T11:00:00Z', undefined],
  ['with a custom name', 'letters', '2026-11-21T12:00:01Z', undefined],
  ['with the ID of a document', NAME.replace('bat', 'gen'), '2026-11-21T12:00:01Z', undefined],
])('Batch files have the expected prefix in a batch %s', (_what, name, creationTimestamp, prefix) => {
  const metadata = { ...BATCH.metadata, name, creationTimestamp };
  expect(ownItemsPrefix({ ...BATCH, metadata })).toBe(prefix);
});
