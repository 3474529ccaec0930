import { beforeEach, describe, expect, it } from 'vitest';
import { GENERATION_JOB, newId, type GenerationJob } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { documentRowOf, type DocumentRow } from '@trifold/platform/records/documents/finished-document.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { DocumentView } from '../documents/document-view.ts';
import type { Page } from '../../server/pagination/page.ts';
import { OwnJobs } from '../documents/job-waiters.ts';
import { listedJob } from './work-lists.ts';

let gateway: GatewayFixture;
let controller: ScriptedController;
let index: WorkIndex;
let template_id: string;
beforeEach(async () => {
  gateway = await GatewayFixture.forTest();
  controller = new ScriptedController(gateway);
  index = new WorkIndex(gateway.store);
  template_id = await gateway.template();
});

const list = async (query = '', key = gateway.key): Promise<Page<DocumentView>> => {
  const response = await gateway.call('GET', `/v1/generate${query}`, { key });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const ids = async (query?: string) => (await list(query)).data.map(({ id }) => id);
const status = async (id: string) => (await gateway.call('GET', `/v1/generate/${id}`)).json();

const accepted = async (fields: object = {}) => gateway.job({ template_id, ...fields });

/** Adds the rows of finished jobs to the index and deletes the jobs, as the controller does. */
async function archive(...jobs: GenerationJob[]): Promise<void> {
  const names = jobs.map(({ metadata }) => metadata.name);
  const finished = (await controller.jobs()).filter(({ metadata }) => names.includes(metadata.name));
  await index.add('acme', 'documents', finished.map(documentRowOf), gateway.clock.now());
  for (const job of jobs) await controller.remove(job);
}

describe('The document list', () => {
  it('matches the status of documents with and without a resource, newest first', async () => {
    const metadata = { order: 'A-17' };
    const warnings = [{ code: 'binding_missing', message: 'No name.', name: 'name' } as const];
    const archived = await accepted({ metadata, filename: 'one.pdf' });
    await controller.complete(archived, warnings);
    const failed = await accepted({ metadata });
    await controller.fail(failed, { warnings, attempt: 1, timings: { queuedMs: 1 } });
    await archive(archived, failed);
    const completed = await accepted();
    await controller.complete(completed, warnings);
    const started = await accepted({ format: 'png' });
    await controller.start(started);
    const pending = await accepted({ metadata });
    const jobs = [pending, started, completed, failed, archived];
    const expected = await Promise.all(jobs.map(async ({ metadata: { name } }) => status(name)));
    expect(await list()).toEqual({
      data: expected.map((document) => {
        for (const name of ['key_id', 'options', 'timings', 'attempts', 'has_own_e_invoice', 'total_time_ms'])
          delete document[name];
        return document;
      }),
      pagination: { has_more: false, next_cursor: null, total_count: 5 },
    });
    expect(expected.at(-2)).toMatchObject({ status: 'failed', warnings });
    expect(expected.at(-1)).toMatchObject({ status: 'completed', filename: 'one.pdf', metadata, warnings });
    expect(expected[0]).not.toHaveProperty('filename');
  });

  it('keeps pages complete while documents are archived and added', async () => {
    const jobs: GenerationJob[] = [];
    for (let each = 0; each < 5; each++) jobs.push(await accepted());
    const names = jobs.map(({ metadata }) => metadata.name).toReversed();
    for (const job of jobs) await controller.complete(job);
    await archive(...jobs.slice(0, 2));
    const first = await list('?limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(names.slice(0, 2));
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 5 });
    await archive(...jobs.slice(2, 4));
    await accepted();
    const second = await list(`?limit=3&cursor=${first.pagination.next_cursor}`);
    expect(second.data.map(({ id }) => id)).toEqual(names.slice(2));
    expect(second.pagination).toEqual({ has_more: false, next_cursor: null, total_count: 6 });
    const stolen = await gateway.call('GET', `/v1/generate?cursor=${first.pagination.next_cursor}`, {
      key: gateway.otherKey,
    });
    expect(stolen.json()).toMatchObject({ code: 'invalid_cursor' });
  });

  it('filters by status, template, metadata and name', async () => {
    const other = await gateway.template({ name: 'Invoice Ä' });
    const archived = await accepted({ metadata: { order: 'A-17', shop: 'x' }, filename: 'Report.pdf' });
    await controller.complete(archived);
    const failed = await accepted({ metadata: { order: 'A-17' }, template_id: other });
    await controller.fail(failed);
    await archive(archived, failed);
    const pending = await accepted({ metadata: { order: 'B-1', __proto__x: '1' } });
    const [done, bad, open] = [archived, failed, pending].map(({ metadata }) => metadata.name);
    expect(await ids('?status=completed')).toEqual([done]);
    expect(await ids('?status=processing')).toEqual([]);
    expect(await ids(`?template_id=${other}`)).toEqual([bad]);
    expect(await ids('?metadata[order]=A-17')).toEqual([bad, done]);
    expect(await ids('?metadata%5Border%5D=A-17&metadata[shop]=x')).toEqual([done]);
    expect(await ids('?metadata[toString]=A-17')).toEqual([]);
    expect(await ids('?status=pending&metadata[order]=B-1')).toEqual([open]);
    expect(await ids('?q=ePoRt')).toEqual([done]);
    expect(await ids(`?q=${bad}`)).toEqual([bad]);
    expect(await ids(`?q=${bad?.slice(0, -1)}`)).toEqual([]);
    expect(await ids(`?q=${encodeURIComponent('invoice ä')}`)).toEqual([bad]);
    const { pagination } = await list('?metadata[order]=A-17&limit=1');
    const page = `limit=1&cursor=${pagination.next_cursor}`;
    expect(await ids(`?${page}&metadata[order]=A-17`)).toEqual([done]);
    for (const wrong of [
      page,
      'metadata[a]=1&metadata[a]=2',
      'metadata=1',
      'metadata=1&metadata[a]=1',
      'other[a]=1',
      'status=done',
      'q=',
    ]) {
      expect((await gateway.call('GET', `/v1/generate?${wrong}`)).statusCode, wrong).toBe(400);
    }
  });

  it('shows nothing from another account or an earlier account with the same name', async () => {
    await controller.complete(await accepted());
    await archive(...(await controller.jobs()));
    await accepted();
    expect([...(await controller.jobs())].map(documentRowOf)).toEqual([undefined]);
    expect(await list('', gateway.otherKey)).toMatchObject({ data: [], pagination: { total_count: 0 } });
    const early = new Date(gateway.clock.now().getTime() - 60 * 60 * 1000);
    const [row] = (await rows()).slice(-1);
    const before = { ...row, id: newId('gen', early), createdAt: early.toISOString() };
    await index.add('acme', 'documents', [before], gateway.clock.now());
    expect((await list()).pagination.total_count).toBe(2);
  });

  it('shows a document once even if the index repeats it, and no deleted or expired document', async () => {
    const jobs = [await accepted(), await accepted(), await accepted({ filename: 'late.pdf' })];
    for (const job of jobs) await controller.complete(job);
    const [first, second, third] = jobs.map(({ metadata }) => metadata.name);
    const finished = (await controller.jobs()).map(documentRowOf);
    // A controller that crashes before deleting the resources leaves both, and its successor adds the rows again.
    for (const writer of [index, new WorkIndex(gateway.store)]) {
      await writer.add('acme', 'documents', finished, gateway.clock.now());
    }
    expect(await ids()).toEqual([third, second, first]);
    await archive(...jobs);
    expect(await ids()).toEqual([third, second, first]);
    await index.markDeleted('acme', second ?? '', gateway.clock.now());
    expect(await ids()).toEqual([third, first]);
    const [row] = await rows();
    const expiresAt = gateway.clock.now().toISOString();
    const expired = { ...row!, id: newId('gen', gateway.clock.now()), expiresAt };
    await index.add('acme', 'documents', [expired], gateway.clock.now());
    expect(await ids()).toEqual([third, first]);
  });

  it('shows documents archived while the list is read', async () => {
    const job = await accepted();
    await controller.complete(job);
    await list();
    const read = gateway.store.pages.bind(gateway.store);
    let isArchived = false;
    gateway.store.pages = async function* (prefix) {
      if (prefix.startsWith('index/') && !isArchived) {
        isArchived = true;
        await archive(job);
        // The first read replaces the chunk that this one lists.
        const listed = [];
        for await (const page of read(prefix)) listed.push(page);
        await index.add('acme', 'documents', await rows(), gateway.clock.now());
        yield* listed;
      } else yield* read(prefix);
    };
    expect(await ids()).toEqual([job.metadata.name]);
    expect(isArchived).toBe(true);
    expect(await ids()).toEqual([job.metadata.name]);
  });

  it('does not show a deleted document, with or without its resource', async () => {
    const [live, archived] = [await accepted(), await accepted()];
    await controller.complete(live);
    await controller.complete(archived);
    await archive(archived);
    expect(await ids()).toEqual([archived.metadata.name, live.metadata.name]);
    for (const { metadata } of [live, archived]) {
      expect((await gateway.call('DELETE', `/v1/generate/${metadata.name}`)).statusCode).toBe(200);
    }
    await eventually(async () => expect(await ids()).toEqual([]));
  });
});

it('An unfinished document with maximum content stays within the bounds of its row and its cache', () => {
  const [name, of40] = ['x'.repeat(253), (index: number) => `${index}`.padEnd(40, 'x')];
  const clientMetadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [of40(index), '\n']));
  const metadata = {
    name,
    namespace: name,
    uid: of40(0),
    resourceVersion: '7',
    annotations: { 'example.com/note': 'x'.repeat(9_000) },
  };
  const spec = {
    templateRef: { name },
    filename: 'x'.repeat(255),
    requestId: name,
    keyId: name,
    callbackURL: 'x'.repeat(2048),
    clientMetadata,
    data: { name },
  };
  const job = {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: GENERATION_JOB.kind,
    metadata,
    spec,
    status: { phase: 'Running' },
  } as unknown as GenerationJob;
  const own = new OwnJobs(
    gateway.kubernetes,
    'gw',
    gateway.clock,
    createLogger({ name: 'test', level: 'silent' }),
  );
  own.mutated(job);
  const { listedUnfinished, awaitedDocuments } = BOUNDS;
  for (const [held, { limit }] of [
    [listedJob(job), listedUnfinished],
    [own.get(name, name), awaitedDocuments],
  ] as const)
    expect(JSON.stringify(held).length).toBeLessThanOrEqual(limit.value);
});

/** Returns the rows in the index. */
async function rows(): Promise<DocumentRow[]> {
  const reader = new WorkIndex(gateway.store);
  const { chunks } = await reader.list('acme', 'documents', gateway.clock.now());
  const all = await Promise.all(chunks.map(async ({ key }) => reader.read<DocumentRow>(key)));
  return all.flatMap((each) => each ?? []);
}
