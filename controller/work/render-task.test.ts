import {
  attachmentsKey,
  dataKey,
  documentKeyOf,
  documentKeyOfId,
  newId,
  type GenerationJob,
  type KeyMode,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { describe, expect, it, vi } from 'vitest';
import { aJob, NOON_ID } from '../testing/objects.ts';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { attachmentKeys } from './attachment-keys.ts';
import { renderTaskOf, withAccess, type Dispatch } from './render-task.ts';

const LATE_ID = newId('gen', new Date('2026-11-21T09:00:00Z'));

const enqueuedAt = '2026-11-21T12:00:01.000Z';
const DISPATCH: Dispatch = { id: 'u-1', queue: 'interactive', deadlineMs: 60_000, enqueuedAt };

function taskOf(job: GenerationJob, data?: string) {
  return renderTaskOf(job, { key: documentKeyOf(job), document: acceptedDocument(job), data }, DISPATCH);
}

describe('renderTaskOf', () => {
  it("keeps all keys within the job's account and contains its data only if it should carry it", () => {
    const job = aJob({ spec: { data: { iban: 'DE02120300000000202051' }, keyId: 'key-1' } });
    const task = taskOf(job);
    expect(task).toMatchObject({
      id: 'u-1',
      queue: 'interactive',
      account: 'acme',
      revisionKey: `revisions/20261121/acme/${'a'.repeat(64)}`,
      dataKey: dataKey(documentKeyOf(job)),
      resultKey: documentKeyOf(job),
      enqueuedAt: '2026-11-21T12:00:01.000Z',
    });
    expect(task.document).toMatchObject({ id: job.metadata.name, uid: job.metadata.uid, keyId: 'key-1' });
    expect(JSON.stringify(task)).not.toContain('DE02');
    expect(taskOf(job, '{"a":1}').data).toBe('{"a":1}');
  });

  it('passes the API key mode to the renderer and the file: live unless the job has the mode test', () => {
    const task = (mode?: KeyMode) => taskOf(aJob({ spec: mode ? { mode } : {} }));
    const modes = [task(), task('live'), task('test')].map(({ document }) => document.mode);
    expect(modes).toEqual(['live', 'live', 'test']);
  });

  it('gives the document its acceptance time', () => {
    const name = newId('gen', new Date('2026-11-21T11:59:58.765Z'));
    const job = aJob({ metadata: { name, creationTimestamp: '2026-11-21T11:59:59Z' } });
    expect(taskOf(job).document.createdAt).toBe('2026-11-21T11:59:58.765Z');
  });

  it("never uses another document's key from a resource", () => {
    const { data: _data, ...spec } = aJob().spec;
    const dataRef = { key: 'documents/20261121T1200Z/other/gen-1.data', sha256: 'd'.repeat(64), size: 1 };
    const job = { ...aJob(), spec: { ...spec, dataRef } };
    expect(taskOf(job).dataKey).toBe(dataKey(documentKeyOf(job)));
    expect(() => attachmentKeys(dataRef, documentKeyOf(job))).toThrow('attachmentsRef.key must be');
  });

  it.each([
    ['the job', NOON_ID],
    ['the id of a job that was created much later', LATE_ID],
  ])('includes access to the attachments at the key of %s', async (_what, name) => {
    const job = aJob({ metadata: { name } });
    const key = attachmentsKey(documentKeyOfId('acme', name) ?? '');
    const ref = { key, sha256: 'd'.repeat(64), size: 1 };
    const keys = attachmentKeys(ref, documentKeyOf(job), documentKeyOfId('acme', name));
    const document = { key: documentKeyOf(job), document: acceptedDocument(job), attachmentKeys: keys };
    const presign = vi.fn<ObjectStore['presign']>().mockResolvedValue(undefined);
    const task = renderTaskOf(job, document, DISPATCH);
    expect(await withAccess(task, { presign })).toMatchObject({ attachmentKeys: [key] });
    expect(presign.mock.calls[0]?.[0].read).toEqual([task.revisionKey, task.dataKey, key]);
  });

  it("accepts metadata of the maximum size, which only the document's record contains", () => {
    const clientMetadata = { order: 'x'.repeat(1000) };
    const { document } = taskOf(aJob({ spec: { clientMetadata, filename: 'n'.repeat(255) } }));
    expect(document).toEqual(taskOf(aJob({ spec: { filename: 'n'.repeat(255) } })).document);
  });

  it('accepts the longest possible file name', () => {
    const filename = '\u{1F4C4}'.repeat(255);
    const spec = { filename, keyId: 'k'.repeat(30), requestId: 'r'.repeat(30) };
    expect(() => taskOf(aJob({ spec }))).not.toThrow();
  });

  it('rejects names that together exceed the file metadata limit', () => {
    const filename = '\u{1F4C4}'.repeat(255);
    const job = aJob({ metadata: { name: 'n'.repeat(253) }, spec: { filename } });
    expect(() => taskOf(job)).toThrow(/in total/);
  });
});
