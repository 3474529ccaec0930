import { documentKeyOf, isFinished, recordKey, type GenerationJob, type Template } from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { TerminalError } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import { RenderQueueError, type RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isConditionTrue } from '../../testing/conditions.ts';
import { aJob, aTemplate, NOON, NOON_ID } from '../../testing/objects.ts';
import { FakeResourceClient } from '../../testing/fake-resource-client.ts';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { WorkProcess } from '../../testing/work-process.ts';
import { inputKey, JobInput } from './job-input.ts';
import { JobKind } from './job-kind.ts';
import { TemplatePinning } from './template-pinning.ts';
import { taskIdOf } from '../tracked-work.ts';
import { createTrackedJobs, type TrackedJob } from './tracked-jobs.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const KEY = { namespace: 'acme', name: NOON_ID };
// The templates and their data are so small that the pool does not start a process.
const checkPool = new CheckPool();
const checker = new TemplateChecker(checkPool);
const dataChecker = new DataChecker(checkPool);

let store: ObjectStore;
let clock: FakeClock;
let client: FakeResourceClient<GenerationJob>;
let templates: Map<string, Template>;

class Process extends WorkProcess<GenerationJob, TrackedJob> {
  constructor(inherited: GenerationJob[] = [], carriedDataBytes = 0, maxDispatched = 100) {
    const shared = { store, revisions: new RevisionStore(store), dataChecker };
    const input = new JobInput({ ...shared, jobs: { getText: async () => '' } });
    const find = async (_namespace: string | undefined, name: string) => templates.get(name);
    const pinning = new TemplatePinning({ ...shared, templates: { find }, checker, input });
    const limit = { isFull: () => false };
    const state = { store, clock, client, tracked: createTrackedJobs(), inherited };
    super({
      ...state,
      concurrency: 1,
      carriedDataBytes,
      maxDispatched,
      kindOf: (shared) => new JobKind({ ...shared, carriedDataBytes, input, pinning, limit }),
    });
  }

  override reconcile(key: ObjectKey = KEY): Promise<unknown> {
    return super.reconcile(key);
  }

  renderForReal(): void {
    this.render((task) => renderInto(store, task, clock.now()));
  }

  /** Reconciles, as events and timers would, until the job is finished. */
  async finish(key = KEY): Promise<GenerationJob> {
    for (let pass = 0; pass < 10; pass += 1) {
      await this.reconcile(key);
      if (isFinished(client.current(key.name))) return client.current(key.name);
      await this.#outcome(key);
    }
    throw new Error('the job did not end');
  }

  /** Reconciles once and waits for the outcome of the attempt. */
  async reported(): Promise<void> {
    await this.reconcile();
    await this.#outcome(KEY);
  }

  async #outcome(key: typeof KEY): Promise<void> {
    const tracked = this.tracked.find(key);
    await eventually(() => expect(tracked?.document.state).toHaveProperty('outcome'));
  }
}

/** A process with this job in its cache and on its server. */
function processOf(job = aJob()): Process {
  client.store(job);
  return new Process();
}

beforeEach(() => {
  store = temporaryStore();
  clock = new FakeClock();
  client = new FakeResourceClient<GenerationJob>();
  templates = new Map([['invoice', aTemplate()]]);
});

function kubectlJob(changes: Parameters<typeof aJob>[0] = {}): GenerationJob {
  const { revision: _revision, version: _version, keyId: _keyId, ...spec } = aJob(changes).spec;
  return { ...aJob(changes), spec };
}

describe('An asynchronous job while the render queue is full of them', () => {
  const asynchronous = (name: string, changes: Parameters<typeof aJob>[0] = {}) =>
    aJob({ ...changes, metadata: { name, uid: `uid-${name}`, labels: {}, ...changes.metadata } });
  const keyPath = (name: string) => ({ namespace: 'acme', name });

  it('waits without a task, a write or stored data until another job ends', async () => {
    for (const name of ['first', 'second']) client.store(asynchronous(name));
    const process = new Process([], 0, 1);
    await process.reconcile(keyPath('first'));
    expect(await process.reconcile(keyPath('second'))).toEqual({ requeueAfterMs: 24 * 60 * 60 * 1000 });
    expect(await process.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
    expect(await store.read(inputKey(client.current('second')))).toBeUndefined();
    expect(client.writes).toHaveLength(0);
    process.renderForReal();
    await process.finish(keyPath('first'));
    await process.reconcile(keyPath('first'));
    expect(process.woken).toEqual(['second']);
    expect((await process.finish(keyPath('second'))).status?.phase).toBe('Completed');
  });

  it('renders the template version that was current when the job was created', async () => {
    client.store(asynchronous('first'));
    client.store({ ...kubectlJob(), metadata: asynchronous('second').metadata });
    const process = new Process([], 0, 1);
    await process.reconcile(keyPath('first'));
    await process.reconcile(keyPath('second'));
    expect(client.current('second').status).toMatchObject({ phase: 'Pending', version: 3 });
    expect(await process.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
  });

  it("completes while it waits if a renderer reports a result for another process's task", async () => {
    for (const name of ['first', 'second']) client.store(asynchronous(name));
    const before = new Process();
    await before.reconcile(keyPath('second'));
    const process = new Process([client.current('first'), client.current('second')], 0, 1);
    await process.reconcile(keyPath('first'));
    await process.reconcile(keyPath('second'));
    before.queue.onFinished((id, outcome) => void process.tracked.noteOutcome(id, outcome));
    before.renderForReal();
    expect((await process.finish(keyPath('second'))).status?.phase).toBe('Completed');
    expect(process.woken).toEqual([]);
  });
});

describe('A job created by the gateway', () => {
  it('is dispatched without requests to the queue or store', async () => {
    const process = processOf();
    const state = vi.spyOn(process.queue, 'state');
    const head = vi.spyOn(store, 'head');
    await process.reconcile();
    expect(await process.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    expect(state).not.toHaveBeenCalled();
    expect(head).not.toHaveBeenCalled();
  });

  it('gets a status with its phase if it has not finished one second after its dispatch', async () => {
    const process = processOf();
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 1000 });
    clock.advance(400);
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 600 });
    expect(client.writes).toHaveLength(0);
    clock.advance(600);
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 10_000 });
    expect(client.writes.at(-1)?.status).toMatchObject({ phase: 'Pending', attempt: 1 });
    await process.reconcile();
    expect(client.writes).toHaveLength(1);
    const work = Promise.withResolvers<RenderOutcome>();
    process.render(() => work.promise);
    await eventually(() => expect(process.tasks).toHaveLength(1));
    clock.advance(1000);
    await process.reconcile();
    expect(client.writes.at(-1)?.status).toMatchObject({ phase: 'Processing', attempt: 1 });
    expect(isConditionTrue(client.writes.at(-1)?.status?.conditions, 'Dispatched')).toBe(true);
  });

  it('gets this status later if many jobs are slow, so that writes do not delay them', async () => {
    const process = new Process();
    const keys = Array.from({ length: 20 }, (_, index) => ({ namespace: 'acme', name: `job-${index}` }));
    for (const { name } of keys) client.store(aJob({ metadata: { name, uid: `${name}-uid` } }));
    const reconcileAll = async () => Promise.all(keys.map((key) => process.reconcile(key)));
    await reconcileAll();
    clock.advance(1000);
    const turns = keys.map((_, place) => ({ requeueAfterMs: place === 0 ? 10_000 : 200 * place }));
    expect(await reconcileAll()).toEqual(turns);
    expect(client.writes).toHaveLength(1);
    for (let written = 2; written <= keys.length; written += 1) {
      clock.advance(200);
      await reconcileAll();
      expect(client.writes).toHaveLength(written);
    }
    expect(client.writes.map(({ metadata }) => metadata.name)).toEqual(keys.map(({ name }) => name));
  });

  it('fails with SpecChanged if it was edited before it was dispatched', async () => {
    const process = processOf(aJob({ metadata: { generation: 2 } }));
    await process.reconcile();
    const { status } = client.current(NOON_ID);
    expect(status).toMatchObject({ phase: 'Failed', error: { code: 'spec_changed' } });
    expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Failed', reason: 'SpecChanged' });
    expect(await process.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 0 });
  });

  it('ignores an edit after its dispatch', async () => {
    const process = processOf();
    await process.reconcile();
    client.store(aJob({ metadata: { generation: 2 }, spec: { data: { number: 'forged' } } }));
    process.renderForReal();
    const job = await process.finish();
    expect(job.status?.phase).toBe('Completed');
    expect((await store.read(documentKeyOf(job)))?.toString()).toContain('R-17');
  });

  it('fails as expired if no renderer took it within a day', async () => {
    const process = processOf();
    await process.reconcile();
    clock.advance(24 * 3_600_000);
    await process.reconcile();
    expect(client.current(NOON_ID).status?.error?.code).toBe('expired');
    expect((await process.queue.depth()).interactive).toBe(0);
  });

  it('waits while the store is unavailable and fails on a permanent store error', async () => {
    const process = processOf();
    const put = vi.spyOn(store, 'put');
    put.mockRejectedValueOnce(new ObjectStoreError('unavailable', 'away'));
    await expect(process.reconcile()).rejects.toMatchObject({ code: 'unavailable' });
    expect(client.writes).toHaveLength(0);
    put.mockRejectedValueOnce(new ObjectStoreError('invalid_metadata', 'wrong'));
    await process.reconcile();
    expect(client.current(NOON_ID).status?.error?.code).toBe('storage_failed');
  });
});

describe('Renderer failures', () => {
  it('are retried after a delay under a new task ID if they are temporary', async () => {
    const process = processOf();
    process.render(async (task) =>
      task.id.endsWith('-1') ? failed('browser_crashed', true) : renderInto(store, task, clock.now()),
    );
    await process.reported();
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 1000 });
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 1000 });
    expect(process.tasks).toHaveLength(1);
    clock.advance(1000);
    const job = await process.finish();
    const { uid } = job.metadata;
    expect(process.taskIds).toEqual([`${uid}-1`, `${uid}-2`]);
    expect(job.status).toMatchObject({ phase: 'Completed', attempt: 2 });
    expect(client.writes[0]?.status).toMatchObject({ phase: 'Pending', attempt: 2 });
    expect(client.writes[0]?.status?.conditions?.[0]?.message).toBe('attempt 1 failed: browser_crashed');
  });

  it('fail the job with the last code if they are temporary and no attempts are left', async () => {
    const process = processOf();
    process.render(async (task) => failed(task.id.endsWith('-1') ? 'browser_crashed' : 'browser_hung', true));
    await process.reported();
    await process.reconcile();
    clock.advance(1000);
    const job = await process.finish();
    expect(job.status).toMatchObject({ phase: 'Failed', attempt: 2, error: { code: 'browser_hung' } });
    expect(process.tasks).toHaveLength(2);
    const counted = 'trifold_documents_total{outcome="failed",code="browser_hung"} 1';
    expect(await process.metrics.render()).toContain(counted);
  });

  it.each([
    ['deadline_exceeded', false],
    ['renderer_lost', true],
  ] as const)('are ignored if the document is stored: %s', async (code, isTemporary) => {
    const process = processOf();
    process.render(async (task) => {
      await renderInto(store, task, clock.now());
      return failed(code, isTemporary);
    });
    expect((await process.finish()).status).toMatchObject({ phase: 'Completed', attempt: 1 });
    expect(process.tasks).toHaveLength(1);
  });
});

describe('A controller restart after a crash', () => {
  it('adds a lost task again with the same attempt', async () => {
    client.store(aJob({ status: { phase: 'Processing', attempt: 2 } }));
    await store.put(inputKey(aJob()), '{"number":"R-17"}');
    const process = new Process([client.current(NOON_ID)]);
    process.renderForReal();
    expect((await process.finish()).status).toMatchObject({ phase: 'Completed', attempt: 2 });
    expect(process.taskIds).toEqual([`${aJob().metadata.uid}-2`]);
  });

  it('waits for a job that a renderer is still working on', async () => {
    const first = new Process();
    client.store(aJob());
    const work = Promise.withResolvers<RenderOutcome>();
    first.render(() => work.promise);
    await first.reconcile();
    await eventually(() => expect(first.tasks).toHaveLength(1));

    const second = new Process([client.current(NOON_ID)]);
    vi.spyOn(second.queue, 'state').mockImplementation((id) => first.queue.state(id));
    const add = vi.spyOn(second.queue, 'add');
    await second.reconcile();
    expect(add).not.toHaveBeenCalled();
    expect(client.current(NOON_ID).status?.phase).toBe('Processing');
  });
});

describe('An outdated cache', () => {
  it('does not start a finished job again', async () => {
    client.store(aJob());
    client.held = true;
    const process = new Process();
    process.renderForReal();
    await process.finish();
    await store.delete(inputKey(aJob()));
    for (let again = 0; again < 3; again += 1) await process.reconcile();
    expect(client.writes).toHaveLength(1);
    expect(await store.head(inputKey(aJob()))).toBeUndefined();
    expect(process.tasks).toHaveLength(1);
    client.release();
    await process.reconcile();
    expect(process.tracked.openDocuments).toBe(0);
  });

  it('does not prevent a job that another client changed from getting its final status', async () => {
    const process = processOf();
    process.renderForReal();
    await process.reported();
    client.held = true;
    client.store({ ...client.current(NOON_ID), metadata: { ...aJob().metadata, labels: { seen: 'yes' } } });
    await process.reconcile();
    const { metadata, status } = client.current(NOON_ID);
    expect([metadata.labels, status?.phase]).toEqual([{ seen: 'yes' }, 'Completed']);
  });
});

describe('Foreign conditions in a job status', () => {
  const invalid = () => {
    const details = { causes: [{ field: 'status.conditions', message: 'secret of the document' }] };
    throw new KubernetesApiError({ code: 422, reason: 'Invalid', message: 'is invalid', details });
  };
  const foreign = { status: 'True', reason: 'Mine', message: '', lastTransitionTime: NOON } as const;

  const mine = Array.from({ length: 16 }, (_, index) => `Mine${index}`);
  it.each([
    ['are replaced by the final condition if the list is full', mine, [...mine.slice(1), 'Complete']],
    ['do not mark a complete job as failed', ['Failed'], ['Complete']],
  ])('%s', async (_what, types, expected) => {
    const process = processOf(aJob({ status: { conditions: types.map((type) => ({ ...foreign, type })) } }));
    process.renderForReal();
    const { status } = await process.finish();
    expect(status?.conditions?.map(({ type }) => type)).toEqual(expected);
    expect(status?.conditions?.at(-1)?.status).toBe('True');
  });

  it('are dropped if the server rejects the whole status', async () => {
    client.store(aJob({ status: { conditions: [{ ...foreign, type: 'Mine' }] } }));
    let failures = 1;
    client.beforeWrite = () => {
      if (failures-- > 0) invalid();
    };
    const process = new Process();
    process.renderForReal();
    const { status } = await process.finish();
    expect(status).toMatchObject({ phase: 'Completed', pages: 2 });
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Complete']);
    expect(process.events).toEqual([]);
  });

  it('cause an event if the server keeps rejecting the status; a change to the job retries the write', async () => {
    client.store(aJob());
    client.beforeWrite = invalid;
    const process = new Process();
    process.renderForReal();
    await process.reported();
    await expect(process.reconcile()).rejects.toThrow(TerminalError);
    expect(process.events).toEqual([expect.stringMatching(/^StatusRejected: .*status\.conditions$/)]);
    client.beforeWrite = undefined;
    expect((await process.finish()).status?.phase).toBe('Completed');
  });
});

describe('A finished job that a client changed', () => {
  it('becomes complete again with its file if its status was removed, its data lost and its spec changed', async () => {
    const data = JSON.stringify({ number: 'R-17' });
    const dataRef = { key: inputKey(aJob()), sha256: sha256Hex(data), size: data.length };
    const { data: _data, ...spec } = aJob().spec;
    const job = client.store({ ...aJob(), spec: { ...spec, dataRef } });
    await store.put(inputKey(job), data, { contentType: 'application/json' });
    const first = new Process();
    first.renderForReal();
    const { status: _status, ...rest } = await first.finish();
    await store.delete(inputKey(job));
    client.store({ ...rest, metadata: { ...rest.metadata, generation: 2 } });

    // A process that has no state for the job.
    const second = new Process();
    second.renderForReal();
    expect((await second.finish()).status).toMatchObject({ phase: 'Completed', pages: 2 });
    expect(second.tasks).toEqual([]);
    expect((await store.read(documentKeyOf(job)))?.toString()).toBe(`%PDF ${data}`);
  });

  it('does not change if its data was changed', async () => {
    const process = processOf();
    process.renderForReal();
    const { metadata, spec, ...done } = await process.finish();
    const forged = { ...spec, data: { number: 'forged' } };
    client.store({ ...done, metadata: { ...metadata, generation: 2 }, spec: forged });
    expect(await process.reconcile()).toBeUndefined();
    expect([client.writes.length, process.tasks.length]).toEqual([1, 1]);
  });
});

it('An unfinished job whose data was changed is not retried with the changed data', async () => {
  const job = client.store(aJob());
  const process = new Process([], 1000);
  process.render(async () => failed('browser_crashed', true));
  await process.reported();
  const metadata = { ...job.metadata, generation: 2 };
  client.store({ ...job, metadata, spec: { ...job.spec, data: { number: 'forged' } } });
  await process.reconcile();
  clock.advance(60_000);
  await process.reconcile();
  expect(client.current(NOON_ID).status?.error?.code).toBe('spec_changed');
  expect(process.tasks).toHaveLength(1);
});

describe('A job whose time to live was changed', () => {
  const spec = { ttlSecondsAfterFinished: 5 };
  const metadata = { generation: 2 };

  it('starts normally', async () => {
    const process = processOf();
    vi.spyOn(process.queue, 'add').mockRejectedValueOnce(new RenderQueueError('unavailable', 'away'));
    await expect(process.reconcile()).rejects.toThrow('away');
    client.store(aJob({ metadata, spec }));
    process.renderForReal();
    expect((await process.finish()).status).toMatchObject({ phase: 'Completed', observedGeneration: 2 });
  });

  it('is retried', async () => {
    const process = processOf();
    process.render(async (task) =>
      task.id.endsWith('-1') ? failed('browser_crashed', true) : renderInto(store, task, clock.now()),
    );
    await process.reported();
    client.store(aJob({ metadata, spec }));
    await process.reconcile();
    clock.advance(60_000);
    expect((await process.finish()).status).toMatchObject({ phase: 'Completed', attempt: 2 });
  });

  it('starts in a process that first sees it when its data is in the store', async () => {
    const { data: _data, ...rest } = aJob({ spec }).spec;
    const key = inputKey(aJob());
    const body = '{"number":"R-17"}';
    await store.put(key, body);
    const dataRef = { key, size: body.length, sha256: sha256Hex(body) };
    client.store({ ...aJob({ metadata }), spec: { ...rest, dataRef } });
    const process = new Process();
    process.renderForReal();
    expect((await process.finish()).status).toMatchObject({ phase: 'Completed' });
  });
});

it('A job with a reused ID fails with id_reused and keeps the earlier document', async () => {
  const before = aJob({ metadata: { uid: 'b1-1' } });
  const process = processOf(before);
  process.renderForReal();
  await process.finish();
  client.take(NOON_ID);
  await process.reconcile();

  client.store(kubectlJob({ spec: { data: { number: 'other' } } }));
  await process.reconcile();
  expect(client.current(NOON_ID).status).toMatchObject({ phase: 'Failed', error: { code: 'id_reused' } });
  expect((await store.read(documentKeyOf(before)))?.toString()).toContain('R-17');
  expect(await store.head(recordKey(documentKeyOf(before)))).toBeUndefined();
});

describe('A job that is deleted', () => {
  it('is removed from the queue with its data if it is unfinished', async () => {
    const process = processOf();
    await process.reconcile();
    const id = taskIdOf(process.tracked.track(aJob()).document);
    client.take(NOON_ID);
    await process.reconcile();
    expect(await process.queue.state(id)).toEqual({ status: 'unknown' });
    expect(await store.head(inputKey(aJob()))).toBeUndefined();
    expect(process.tracked.openDocuments).toBe(0);
  });

  it('has its result ignored if it was being rendered', async () => {
    const process = processOf();
    const work = Promise.withResolvers<RenderOutcome>();
    process.render(() => work.promise);
    await process.reconcile();
    await eventually(() => expect(process.tasks).toHaveLength(1));
    client.take(NOON_ID);
    await process.reconcile();
    work.resolve(failed('print_failed', true));
    const { id } = process.tasks[0]!;
    await eventually(async () => expect((await process.queue.state(id)).status).toBe('failed'));
    await process.reconcile();
    expect(client.writes).toEqual([]);
  });

  it('is not written if it disappears between the cache read and the write', async () => {
    const process = processOf(aJob({ metadata: { generation: 2 } }));
    client.beforeWrite = () => client.take(NOON_ID);
    await process.reconcile();
    expect(client.writes).toEqual([]);
    expect(process.tracked.openDocuments).toBe(0);
  });

  it('is a new job if it is created again with the same name', async () => {
    const process = processOf();
    await process.reconcile();
    const first = taskIdOf(process.tracked.track(aJob()).document);
    client.store(aJob({ metadata: { uid: 'b2-2' }, spec: { data: { number: 'second' } } }));
    await process.reconcile();
    process.renderForReal();
    const job = await process.finish();
    expect(job.status?.phase).toBe('Completed');
    expect(process.taskIds).not.toContain(first);
    expect((await store.read(documentKeyOf(job)))?.toString()).toContain('second');
  });
});

describe('A job that names only a template', () => {
  it("gets the template's revision, version and defaults before it is dispatched", async () => {
    const schema = { fields: [{ name: 'currency', type: 'string' as const, default: 'EUR' }] };
    templates.set('invoice', aTemplate({ spec: { schema } }));
    const process = processOf(kubectlJob());
    process.renderForReal();
    const job = await process.finish();
    const [pinned, last] = client.writes.map(({ status }) => status);
    expect(pinned).toMatchObject({ phase: 'Pending', version: 3 });
    expect(last).toMatchObject({ phase: 'Completed', version: 3, revision: pinned?.revision });
    expect(String(await store.read(documentKeyOf(job)))).toBe('%PDF {"number":"R-17","currency":"EUR"}');
    expect(process.tasks[0]?.revisionKey).toBe(`revisions/20261121/acme/${pinned?.revision}`);
    expect(await store.head(`revisions/20261121/acme/${pinned?.revision}`)).toBeDefined();
  });

  it('renders the pinned revision even if the template was changed or deleted between two steps', async () => {
    client.store(kubectlJob());
    const first = new Process();
    vi.spyOn(first.queue, 'add').mockRejectedValueOnce(new Error('the queue is away'));
    await expect(first.reconcile()).rejects.toThrow('the queue is away');
    const { revision } = client.current(NOON_ID).status ?? {};
    templates.clear();
    const second = new Process([client.current(NOON_ID)]);
    second.renderForReal();
    expect((await second.finish()).status).toMatchObject({ phase: 'Completed', revision });
  });

  const schema = { fields: [{ name: 'total', type: 'number' as const, required: true }] };
  const bad = [
    ['template_not_found', 'TemplateNotFound', undefined, 'invoice'],
    ['template_archived', 'TemplateArchived', { state: 'archived' as const }, 'invoice'],
    ['template_invalid', 'TemplateInvalid', { html: '<p>\n{{#if x}}' }, 'line 2, column 1'],
    ['data_invalid', 'DataInvalid', { schema }, '/data/total is required'],
  ] as const;
  it.each(bad)('fails with %s', async (code, reason, spec, message) => {
    templates.clear();
    if (spec) templates.set('invoice', aTemplate({ spec }));
    const process = processOf(kubectlJob());
    await process.reconcile();
    const { status } = client.current(NOON_ID);
    expect(status).toMatchObject({ phase: 'Failed', error: { code } });
    expect(status?.error?.message).toContain(message);
    expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Failed', status: 'True', reason });
    expect(client.writes).toHaveLength(1);
    expect(await process.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 0 });
  });
});
