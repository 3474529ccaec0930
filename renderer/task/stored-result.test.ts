import { eraseDocument } from '@trifold/platform/records/documents/finished-document.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { expect, it } from 'vitest';
import { storeResult } from './stored-result.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const DOCUMENT = {
  id: 'gen-1',
  uid: 'uid-1',
  template: 'invoice',
  format: 'pdf',
  mode: 'live',
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-22T12:00:00.000Z',
} as const;

it('the file of a deleted document is not stored, and its task fails permanently', async () => {
  const root = testDirectory();
  const store = new DirectoryStore({ root });
  await eraseDocument(store, 'acme', 'documents/1', DOCUMENT);
  const task: Pick<RenderTask, 'resultKey' | 'document'> = {
    resultKey: 'documents/1',
    document: DOCUMENT,
  };
  const late = storeResult(store, task as RenderTask, {
    body: Buffer.from('%PDF'),
    contentType: 'application/pdf',
    pages: 1,
    warnings: [],
    timings: {},
    startedAt: new Date(),
    elapsedMs: () => 0,
    now: () => new Date(),
  });
  await expect(late).rejects.toMatchObject({ code: 'cancelled', retryable: false });
  expect(await store.read('documents/1')).toEqual(Buffer.alloc(0));
});
