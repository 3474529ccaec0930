import { batchItemKey, dataKey, isFinished, revisionKey, type Batch, type BatchStatus } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aBatch, NOON_BATCH_ID } from '../../testing/objects.ts';
import { FakeResourceClient } from '../../testing/fake-resource-client.ts';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { WorkProcess } from '../../testing/work-process.ts';
import { BatchKind } from './batch-kind.ts';
import { createTrackedBatches, type TrackedBatch } from './tracked-batches.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

const checkPool = new CheckPool();
const KEY = { namespace: 'acme', name: NOON_BATCH_ID };
const { uid: UID } = aBatch().metadata;

let store: ObjectStore;
let clock: FakeClock;
let client: FakeResourceClient<Batch>;

class Process extends WorkProcess<Batch, TrackedBatch> {
  constructor(inherited: Batch[] = []) {
    const checker = new TemplateChecker(checkPool);
    const revisions = new RevisionStore(store);
    const state = { store, clock, client, tracked: createTrackedBatches(), inherited };
    super({
      ...state,
      concurrency: 4,
      kindOf: (shared) => new BatchKind({ ...shared, checker, revisions }),
    });
  }

  override reconcile(): Promise<unknown> {
    return super.reconcile(KEY);
  }

  override render(
    render: (task: RenderTask) => Promise<RenderOutcome> = (task) => renderInto(store, task, clock.now()),
  ) {
    super.render(render);
  }

  /** Waits until an item's outcome is known. */
  async decided(index: number): Promise<void> {
    await eventually(() => expect(this.tracked.find(KEY)?.documents[index]?.state).toHaveProperty('outcome'));
  }

  /** Reconciles, as events and timers would, until the batch is finished. */
  async finish(): Promise<BatchStatus> {
    await eventually(
      async () => {
        await this.reconcile();
        // The clock is stopped while an item is rendered, because the duration depends on the machine.
        if (this.rendering === 0) clock.advance(100);
        expect(isFinished(client.current(NOON_BATCH_ID))).toBe(true);
      },
      { intervalMs: 1 },
    );
    return client.current(NOON_BATCH_ID).status ?? {};
  }
}

const itemKey = (index: number) => batchItemKey(aBatch().spec.itemsRef.prefix, index);
const phases = ({ items = [] }: BatchStatus) => items.map(({ phase }) => phase);

beforeEach(async () => {
  store = temporaryStore();
  clock = new FakeClock();
  client = new FakeResourceClient();
  for (const index of [0, 1, 2]) await store.put(dataKey(itemKey(index)), `{"number":"R-${index}"}`);
});

describe('The batch reconciler', () => {
  it('dispatches a whole batch immediately, without requests to the queue or store', async () => {
    client.store(aBatch());
    const process = new Process();
    const state = vi.spyOn(process.queue, 'state');
    const head = vi.spyOn(store, 'head');
    expect(await process.reconcile()).toEqual({ requeueAfterMs: 1000 });
    expect(await process.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 3 });
    expect([state.mock.calls, head.mock.calls, client.writes]).toEqual([[], [], []]);
  });

  it('looks for existing files of a batch created by hand, because its ID may have been used before', async () => {
    const document = JSON.stringify({ id: `${NOON_BATCH_ID}/1`, uid: 'another' });
    await store.put(itemKey(1), 'of another', { metadata: { document } });
    const { keyId: _keyId, ...spec } = aBatch().spec;
    client.store({ ...aBatch(), spec });
    const process = new Process();
    process.render();
    const { items, completed, failed: failures } = await process.finish();
    expect([completed, failures]).toEqual([2, 1]);
    const error = { code: 'id_reused', message: expect.any(String) as string };
    expect(items?.[1]).toEqual({ index: 1, phase: 'Failed', error });
    expect((await store.read(itemKey(1)))?.toString()).toBe('of another');
  });

  /** Stores a batch with an inline template. */
  function storeInline(html: string): void {
    const { templateRef: _name, revision: _revision, version: _version, ...spec } = aBatch().spec;
    client.store({ ...aBatch(), spec: { ...spec, template: { html } } });
  }

  it('pins an inline template before it dispatches an item', async () => {
    storeInline('<p>{{number}}</p>');
    const process = new Process();
    process.render();
    const { phase, revision = '' } = await process.finish();
    expect(phase).toBe('Completed');
    expect(client.writes[0]?.status).toMatchObject({ phase: 'Pending', revision });
    const stored = await store.read(revisionKey('acme', revision, clock.now()));
    expect(JSON.parse(String(stored))).toEqual({ displayName: 'Document', html: '<p>{{number}}</p>' });
  });

  it('fails a batch whose template does not compile', async () => {
    storeInline('{{#each}');
    const { error } = await new Process().finish();
    expect(error).toMatchObject({ code: 'template_invalid', message: expect.stringContaining('line 1') });
  });

  it('reports failed items in one event, regardless of their number', async () => {
    client.store(aBatch());
    const process = new Process();
    process.render(async (task) =>
      task.id.startsWith(`${UID}-0-`) ? renderInto(store, task, clock.now()) : failed('print_failed', false),
    );
    await process.finish();
    const told = 'ItemsFailed: 2 of 3 items failed; item 1: print_failed: the test says print_failed';
    expect(process.events).toEqual([told]);
  });

  it('continues a batch in the next process with its files and recorded attempts', async () => {
    client.store(aBatch());
    const first = new Process();
    first.render(async (task) =>
      task.id === `${UID}-0-1` ? renderInto(store, task, clock.now()) : failed('browser_crashed', true),
    );
    await first.reconcile();
    await eventually(() => expect(first.tasks).toHaveLength(3));
    for (const index of [0, 1, 2]) await first.decided(index);
    clock.advance(1000);
    await first.reconcile();
    const items = [{ index: 0 }, { index: 1, attempt: 2 }, { index: 2, attempt: 2 }];
    expect(client.writes.at(-1)?.status).toMatchObject({ completed: 1, items });

    const second = new Process([client.current(NOON_BATCH_ID)]);
    second.render(async () => failed('browser_crashed', true));
    const status = await second.finish();
    expect(second.taskIds.toSorted((a, b) => a.localeCompare(b))).toEqual([`${UID}-1-2`, `${UID}-2-2`]);
    expect(phases(status)).toEqual(['Completed', 'Failed', 'Failed']);
    // Items that the first process wrote are not counted again.
    const told = await second.metrics.render();
    expect(told).not.toContain('outcome="completed"');
    expect(told).toContain('trifold_documents_total{outcome="failed",code="browser_crashed"} 2');
  });

  it('counts lost renderers for an item across processes, and renders the item alone after the first', async () => {
    client.store(aBatch());
    const exclusive: string[] = [];
    const render = async (task: RenderTask) => {
      if (task.exclusive) exclusive.push(task.id);
      return task.document.id.endsWith('/1')
        ? failed('renderer_lost', true)
        : renderInto(store, task, clock.now());
    };
    const processes: Process[] = [];
    for (const attempt of [2, 3]) {
      const process = new Process(processes.length === 0 ? [] : [client.current(NOON_BATCH_ID)]);
      processes.push(process);
      process.render(render);
      await eventually(
        async () => {
          await process.reconcile();
          clock.advance(100);
          expect(client.current(NOON_BATCH_ID).status?.items?.[1]).toMatchObject({ attempt });
        },
        { intervalMs: 1 },
      );
      // This process ends before it sees the attempt it has just written to the status.
    }
    const last = new Process([client.current(NOON_BATCH_ID)]);
    last.render(render);
    const { items } = await last.finish();
    expect(items?.[1]).toMatchObject({
      phase: 'Failed',
      attempt: 3,
      lostAttempts: 2,
      error: { code: 'renderer_lost', message: expect.stringContaining('use less data') },
    });
    expect(items?.[0]).not.toHaveProperty('lostAttempts');
    expect(new Set(exclusive)).toEqual(new Set([`${UID}-1-2`, `${UID}-1-3`]));
  });

  it('divides the space for messages among the failed items', async () => {
    const message = 'é🙂'.repeat(700);
    const failure = documentFailure('data_invalid', message);
    const lengths = async (total: number) => {
      client.store(aBatch({ metadata: { uid: `uid-${total}` }, spec: { total } }));
      const process = new Process();
      process.render(async () => ({ status: 'failed', failure }));
      const { items = [] } = await process.finish();
      const messages = items.map(({ error }) => error?.message ?? '');
      for (const shown of messages) expect(shown.isWellFormed()).toBe(true);
      expect(messages.every((shown) => shown.endsWith('…'))).toBe(true);
      return new Set(messages.map((shown) => shown.length));
    };
    expect(await lengths(3)).toEqual(new Set([1024]));
    expect(await lengths(40)).toEqual(new Set([500]));
    expect(await lengths(100)).toEqual(new Set([200]));
  });

  it('keeps the warnings for items, and fewer per item if there are many', async () => {
    const warning = { code: 'glyphs_missing', message: 'm'.repeat(256), name: 'd'.repeat(256) } as const;
    const numbers = async (total: number, warningsPerItem: number) => {
      client.store(aBatch({ metadata: { uid: `uid-${total}-${warningsPerItem}` }, spec: { total } }));
      const process = new Process();
      process.render(async (task) => {
        await store.put(dataKey(task.resultKey), '{}');
        const outcome = await renderInto(store, task, clock.now());
        if (outcome.status !== 'completed') return outcome;
        const warnings = Array.from({ length: warningsPerItem }, () => warning);
        return { ...outcome, result: { ...outcome.result, warnings } };
      });
      const { items = [] } = await process.finish();
      expect(items).toHaveLength(total);
      const last = items
        .map(({ warnings }) => warnings?.at(-1))
        .find((each) => each?.code === 'more_warnings');
      return [last?.name, ...new Set(items.map(({ warnings }) => warnings?.length))];
    };
    expect(await numbers(3, 0)).toEqual([undefined, undefined]);
    expect(await numbers(3, 30)).toEqual(['11', 20]);
    expect(await numbers(20, 30)).toEqual(['26', 5]);
    expect(await numbers(100, 30)).toEqual([undefined, 1]);
  });

  it('keeps its first start time unless a renderer reports an earlier one', async () => {
    client.store(aBatch());
    const process = new Process();
    const works = [0, 1, 2].map(() => Promise.withResolvers<string>());
    process.render(async (task) => {
      const startedAt = await works[Number(task.document.id.split('/')[1])]?.promise;
      const outcome = await renderInto(store, task, clock.now());
      if (outcome.status !== 'completed' || startedAt === undefined) return outcome;
      return { ...outcome, result: { ...outcome.result, startedAt } };
    });
    await process.reconcile();
    const watchSubjects = async (index: number, startedAt: string) => {
      works[index]?.resolve(startedAt);
      await process.decided(index);
    };
    const shown = async () => {
      clock.advance(1000);
      await process.reconcile();
      return client.current(NOON_BATCH_ID).status;
    };
    expect(await shown()).toMatchObject({ phase: 'Processing', startedAt: '2026-11-21T12:00:01.000Z' });
    client.store(aBatch({ status: { ...client.current(NOON_BATCH_ID).status, completed: 7 } }));
    expect(await shown()).toMatchObject({ completed: 0, startedAt: '2026-11-21T12:00:01.000Z' });
    await watchSubjects(1, '2026-11-21T12:00:02.000Z');
    expect(await shown()).toMatchObject({ completed: 1, startedAt: '2026-11-21T12:00:01.000Z' });
    await watchSubjects(2, '2026-11-21T12:00:00.500Z');
    expect(await shown()).toMatchObject({ completed: 2, startedAt: '2026-11-21T12:00:00.500Z' });
    await watchSubjects(0, '2026-11-21T12:00:03.000Z');
    expect(await shown()).toMatchObject({ phase: 'Completed', startedAt: '2026-11-21T12:00:00.500Z' });
  });

  it('starts another attempt only after the status has been written', async () => {
    client.store(aBatch({ spec: { total: 1 } }));
    const process = new Process();
    process.render(async () => failed('browser_crashed', true));
    await process.reconcile();
    await process.decided(0);
    clock.advance(1000);
    client.beforeWrite = () => {
      throw new KubernetesApiError({ code: 503, reason: 'ServiceUnavailable', message: 'away' });
    };
    await expect(process.reconcile()).rejects.toThrow('away');
    clock.advance(5000);
    await expect(process.reconcile()).rejects.toThrow('away');
    expect(process.taskIds).toEqual([`${UID}-0-1`]);
    client.beforeWrite = undefined;
    expect((await process.finish()).items?.[0]).toMatchObject({ attempt: 2 });
    expect(process.taskIds).toEqual([`${UID}-0-1`, `${UID}-0-2`]);
  });
});

describe('A waiting batch', () => {
  async function inLine() {
    client.store(aBatch({ spec: { total: 100 } }));
    const process = new Process();
    const state = vi.spyOn(process.queue, 'state');
    await process.reconcile();
    clock.advance(1000);
    // Shows the progress once; the lookups for that do not count here.
    await process.reconcile();
    /** Returns the number of queries to the queue within ten seconds. */
    const asked = async () => {
      const before = state.mock.calls.length;
      clock.advance(10_000);
      await process.reconcile();
      return state.mock.calls.length - before;
    };
    return { process, state, asked };
  }

  it('polls the queue for its first items every ten seconds and for the rest at growing intervals', async () => {
    const { state, asked } = await inLine();
    let total = 0;
    for (let tens = 0; tens < 30; tens += 1) total += await asked();
    const first = 30 * 10;
    // The rest are looked up after 10, 30, 70, and 130 seconds, and then once a minute.
    expect(total).toBe(first + 90 * 6);
    const queues = (state.mock.calls as unknown[][]).map(([, queue]) => queue);
    expect(new Set(queues)).toEqual(new Set(['batch']));
  });

  it('is added again as a whole within ten seconds if the queue loses it', async () => {
    const { process, state, asked } = await inLine();
    for (let tens = 0; tens < 7; tens += 1) await asked();
    const add = vi.spyOn(process.queue, 'add');
    state.mockResolvedValue({ status: 'unknown' });
    await asked();
    expect(add).toHaveBeenCalledTimes(100);
  });
});

it('A permanent store error during a batch fails only the affected item', async () => {
  client.store(aBatch());
  const process = new Process([aBatch()]);
  process.render();
  const head = store.head.bind(store);
  vi.spyOn(store, 'head').mockImplementation(async (key) => {
    if (key === itemKey(1)) throw new ObjectStoreError('corrupt', 'not readable');
    return head(key);
  });
  const status = await process.finish();
  expect(phases(status)).toEqual(['Completed', 'Failed', 'Completed']);
  expect(status.items?.[1]?.error?.code).toBe('storage_failed');
});
