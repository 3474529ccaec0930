import { DELETED_ANNOTATION, recordKey, type GenerationJob } from '@trifold/crds';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { eraseDocument, isTombstone } from '@trifold/platform/records/documents/finished-document.ts';
import { expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture } from '../../testing/controller-fixture.ts';
import { renderInto } from '../../testing/scripted-renderer.ts';

const fixture = ControllerFixture.forEachTest();

async function annotate({ metadata: { name } }: GenerationJob): Promise<void> {
  const annotations = { [DELETED_ANNOTATION]: 'now' };
  await fixture.jobs.patch({ namespace: 'default', name }, { metadata: { annotations } });
}

async function isErased({ metadata: { name } }: GenerationJob): Promise<boolean> {
  const key = fixture.documentKey(name);
  const info = await fixture.store.head(key);
  const record = await fixture.store.head(recordKey(key));
  return info !== undefined && isTombstone(info) && info.size === 0 && record === undefined;
}

const erased = (job: GenerationJob) => eventually(() => isErased(job));

it('deleting a document during rendering cancels the render, and a late file is not stored', async () => {
  const rendering = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const service = await fixture.boot({
    render: async (task, aborting) => {
      signal = aborting;
      await rendering.promise;
      return renderInto(fixture.store, task, fixture.clock.now()).finally(finished.resolve);
    },
  });
  const job = await fixture.gatewayJob({ clientMetadata: { order: 'A-17' } });
  await eventually(() => expect(service.tasks).toHaveLength(1));
  await annotate(job);
  const { status } = await fixture.finished(job.metadata.name);
  expect(status).toMatchObject({ phase: 'Failed', error: { code: 'cancelled' } });
  expect(signal?.aborted).toBe(true);
  await erased(job);
  rendering.resolve();
  await finished.promise;
  expect(await isErased(job)).toBe(true);
});

it('an unfinished document with a tombstone but no annotation is cancelled', async () => {
  const job = await fixture.gatewayJob();
  await eraseDocument(fixture.store, 'acme', fixture.documentKey(job.metadata.name), acceptedDocument(job));
  await fixture.boot();
  const { status } = await fixture.finished(job.metadata.name);
  expect(status).toMatchObject({ phase: 'Failed', error: { code: 'cancelled' } });
});

it('a finished document annotated while no controller ran is deleted but still counted', async () => {
  const first = await fixture.boot();
  const job = await fixture.gatewayJob({ clientMetadata: { order: 'A-17' } });
  const { name } = job.metadata;
  await fixture.finished(name);
  const key = fixture.documentKey(name);
  // The record has the client's metadata.
  await eventually(async () => expect(await fixture.store.head(recordKey(key))).toBeDefined());
  await first.stop();
  await annotate(job);
  await fixture.boot();
  await erased(job);
  expect((await fixture.find(name))?.status?.phase).toBe('Completed');
  fixture.clock.advance(600_000);
  await eventually(async () => expect(await fixture.find(name)).toBeUndefined());
  const [report] = (await fixture.reports.list({ namespace: 'default' })).items;
  expect(report?.status).toMatchObject({ live: 1, failed: 0 });
  expect(await isErased(job)).toBe(true);
});

it('a document that finished earlier is erased when its job is annotated', async () => {
  await fixture.boot();
  const job = await fixture.gatewayJob({ clientMetadata: { order: 'A-17' } });
  await fixture.finished(job.metadata.name);
  await eventually(async () =>
    expect(await fixture.store.head(recordKey(fixture.documentKey(job.metadata.name)))).toBeDefined(),
  );
  await annotate(job);
  await erased(job);
});

it('the file of an earlier document with the same ID is kept', async () => {
  await fixture.boot();
  const { metadata } = await fixture.gatewayJob();
  const job = await fixture.finished(metadata.name);
  const key = fixture.documentKey(metadata.name);
  await eraseDocument(fixture.store, 'acme', key, { ...acceptedDocument(job), uid: 'of-another-job' });
  expect((await fixture.store.read(key))?.toString()).toContain('R-17');
});
