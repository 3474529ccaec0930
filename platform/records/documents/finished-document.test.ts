import { DOCUMENT_FORMATS } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { metadataSize } from '../../object-store/object-metadata.ts';
import type { AcceptedDocument } from './accepted-work.ts';
import {
  documentFile,
  documentMetadata,
  LARGEST_RESULT_METADATA,
  resultMetadata,
  storedResult,
} from './finished-document.ts';

const DOCUMENT: AcceptedDocument = {
  id: 'gen-1',
  uid: 'u-1',
  template: 'tpl-1',
  version: 3,
  format: 'pdf',
  mode: 'live',
  keyId: 'key-1',
  requestId: 'req-1',
  filename: 'Счёт №1.pdf',
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-22T12:00:00.000Z',
};
const RESULT = {
  pages: 2,
  sha256: 'ab'.repeat(32),
  renderTimeMs: 12,
  timings: { queuedMs: 0.4, mergeMs: 0.3, printMs: 10.9, storeMs: 0 },
  startedAt: '2026-11-21T12:00:00.000Z',
  finishedAt: '2026-11-21T12:00:00.012Z',
};
const infoWith = (metadata: Record<string, string>) => ({ size: 28_538, metadata });

describe("The metadata of a document's file", () => {
  it.each(DOCUMENT_FORMATS)('contains what is known at acceptance and the result: %s', (format) => {
    const document: AcceptedDocument = { ...DOCUMENT, format, mode: format === 'png' ? 'test' : 'live' };
    const metadata = { ...documentMetadata(document), ...resultMetadata(RESULT) };
    expect(documentFile(infoWith(metadata))).toEqual({ document, result: { ...RESULT, size: 28_538 } });
  });

  it('does not contain client metadata', () => {
    const metadata = documentMetadata({ ...DOCUMENT, metadata: { order: 'A-17' } });
    expect(JSON.stringify(metadata)).not.toContain('A-17');
  });

  it.each([{}, { document: 'a note' }, { document: 'null' }, { document: '{"id":"gen-1"}' }])(
    'does not belong to a document: %o',
    (metadata: Record<string, string>) => {
      expect(documentFile(infoWith({ ...resultMetadata(RESULT), ...metadata }))).toBeUndefined();
    },
  );
});

describe("The result in a file's metadata", () => {
  it('has names that a renderer may add and stays within the limit', () => {
    const ms = 86_400_000.5;
    const timings = { queuedMs: ms, mergeMs: ms, printMs: ms, storeMs: 0 };
    const largest = resultMetadata({ ...RESULT, pages: 100_000, renderTimeMs: 86_400_000, timings });
    expect(Object.keys(largest).every((name) => /^result-[a-z-]+$/.test(name))).toBe(true);
    expect(metadataSize(largest)).toBeLessThan(LARGEST_RESULT_METADATA);
  });

  it.each(Object.keys(RESULT))('is not a result without %s', (name) => {
    expect(storedResult(infoWith(resultMetadata({ ...RESULT, [name]: undefined })))).toBeUndefined();
  });

  it('does not match another object', () => {
    expect(storedResult(infoWith({}))).toBeUndefined();
  });
});
