import { batchItemKey, batchItemsPrefix, dataKey, newId, type Batch } from '@trifold/crds';
import { isConditionTrue } from '../../testing/conditions.ts';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture } from '../../testing/controller-fixture.ts';

const HOUR = 3_600_000;
const fixture = ControllerFixture.forEachTest();

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: `R-${index}` }));
const render = (task: RenderTask) => renderInto(fixture.store, task, fixture.clock.now());
const itemKey = (name: string, index: number) => batchItemKey(batchItemsPrefix('default', name) ?? '', index);
const indexOf = ({ document }: RenderTask) => Number(document.id.split('/')[1]);
const find = (name: string) => fixture.batches.find('default', name);

function dataOf(batch: Batch): Promise<unknown[]> {
  const { prefix } = batch.spec.itemsRef;
  const indexes = Array.from({ length: batch.spec.total }, (_, index) => index);
  return Promise.all(indexes.map((index) => fixture.store.head(dataKey(batchItemKey(prefix, index)))));
}

describe('A batch from the gateway', () => {
  it('renders a file for each item, with a single status write if it is quick', async () => {
    const service = await fixture.boot();
    const { metadata } = await fixture.batch(numbers(100));
    const { status } = await fixture.finishedBatch(metadata.name);
    expect(status).toMatchObject({ phase: 'Completed', completed: 100, failed: 0, observedGeneration: 1 });
    expect(isConditionTrue(status?.conditions, 'Complete')).toBe(true);
    const expected = numbers(100).map((_, index) => [index, 'Completed']);
    expect(status?.items?.map(({ index, phase }) => [index, phase])).toEqual(expected);
    expect(status?.items?.[7]).toMatchObject({ attempt: 1, pages: 2 });
    expect((await fixture.store.read(itemKey(metadata.name, 7)))?.toString()).toContain('R-7');
    expect(service.batchWrites(metadata.name)).toHaveLength(1);
    expect(new Set(service.tasks.map(({ queue }) => queue))).toEqual(new Set(['batch']));
    await eventually(async () => {
      const metrics = await service.metrics.render();
      expect(metrics).toContain('trifold_documents_total{outcome="completed",code=""} 100');
      expect(metrics).toContain('trifold_unfinished_jobs 0');
    });
  });

  it('fails when all items failed', async () => {
    await fixture.boot({ render: async () => failed('print_failed', false) });
    const { metadata } = await fixture.batch(numbers(3));
    const { status } = await fixture.finishedBatch(metadata.name);
    const message = expect.stringContaining('item 0: print_failed') as string;
    const error = { code: 'all_items_failed', message };
    expect(status).toMatchObject({ phase: 'Failed', completed: 0, failed: 3, error });
    expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Failed', reason: 'AllItemsFailed' });
  });

  it('runs unchanged if its time to live was changed before it started', async () => {
    const { metadata } = await fixture.batch(numbers(1));
    const key = { namespace: 'default', name: metadata.name };
    await fixture.batches.patch(key, { spec: { ttlSecondsAfterFinished: 5 } });
    await fixture.boot();
    const { status } = await fixture.finishedBatch(metadata.name);
    expect(status).toMatchObject({ phase: 'Completed', completed: 1, observedGeneration: 2 });
  });

  it('fails when its input is missing', async () => {
    const batch = await fixture.batch(numbers(2));
    const { name } = batch.metadata;
    await fixture.store.deletePrefix(batch.spec.itemsRef.prefix);
    await fixture.boot();
    const { status } = await fixture.finishedBatch(name);
    expect(status).toMatchObject({ phase: 'Failed', failed: 2 });
    expect(status?.items?.map(({ error }) => error?.code)).toEqual(['data_missing', 'data_missing']);
  });
});

it("A batch's progress is written once a second, with completed and active items", async () => {
  const gates = numbers(4).map(() => Promise.withResolvers<void>());
  const service = await fixture.boot({
    render: async (task) => {
      await gates[indexOf(task)]?.promise;
      return render(task);
    },
  });
  const { metadata } = await fixture.batch(numbers(4));
  const shows = async (status: object) =>
    eventually(async () => expect((await find(metadata.name))?.status).toMatchObject(status));
  await eventually(() => expect(service.tasks).toHaveLength(1));
  expect((await find(metadata.name))?.status).toBeUndefined();
  fixture.clock.advance(1000);
  await shows({ phase: 'Processing', completed: 0 });
  for (const gate of gates.slice(0, 2)) gate.resolve();
  await eventually(() => expect(service.tasks).toHaveLength(3));
  expect(service.batchWrites(metadata.name)).toHaveLength(1);
  fixture.clock.advance(1000);
  const items = ['Completed', 'Completed', 'Processing'].map((phase, index) => ({ index, phase }));
  await shows({ completed: 2, items });
  for (const gate of gates) gate.resolve();
  await fixture.finishedBatch(metadata.name);
  expect(service.batchWrites(metadata.name).map((status) => status?.completed)).toEqual([0, 2, 4]);
});

it("A batch's progress is limited to ten writes a second for all batches", async () => {
  const service = await fixture.boot({ render: () => new Promise<never>(() => undefined) });
  const batches = await Promise.all(numbers(30).map(() => fixture.batch(numbers(1))));
  await eventually(async () => {
    const { batch } = await service.queue.depth();
    expect(batch + service.tasks.length).toBe(30);
  });
  const writes = () => batches.flatMap(({ metadata }) => service.batchWrites(metadata.name)).length;
  fixture.clock.advance(1000);
  await eventually(() => expect(writes()).toBe(1));
  for (let step = 2; step <= 11; step += 1) {
    fixture.clock.advance(100);
    await eventually(() => expect(writes()).toBeGreaterThanOrEqual(Math.min(step, 11)));
    expect(writes()).toBeLessThanOrEqual(step);
  }
});

describe('A batch that cannot run', () => {
  it('fails when its items belong to another account', async () => {
    await fixture.boot();
    const prefix = batchItemsPrefix('somebody', newId('bat', fixture.clock.now())) ?? '';
    const { metadata } = await fixture.batch(numbers(2), { itemsRef: { prefix, size: 10 } });
    const { status } = await fixture.finishedBatch(metadata.name);
    expect(status).toMatchObject({ phase: 'Failed', failed: 2, error: { code: 'data_missing' } });
    expect(status?.items?.map(({ attempt }) => attempt)).toEqual([undefined, undefined]);
  });

  it('fails if its name is not a current ID', async () => {
    const service = await fixture.boot();
    const { metadata } = await fixture.batch(numbers(1), {}, 'letters');
    const later = newId('bat', new Date(fixture.clock.now().getTime() + HOUR));
    const { metadata: other } = await fixture.batch(numbers(1), {}, later);
    for (const { name } of [metadata, other]) {
      expect((await fixture.finishedBatch(name)).status?.error?.code).toBe('id_invalid');
    }
    expect(service.tasks).toEqual([]);
  });

  it('ends when its files would expire, with the completed items', async () => {
    const service = await fixture.boot({
      render: async (task) => (indexOf(task) === 0 ? render(task) : new Promise<never>(() => undefined)),
    });
    const { metadata } = await fixture.batch(numbers(5));
    await eventually(() => expect(service.tasks).toHaveLength(2));
    fixture.clock.advance(24 * HOUR);
    const { status } = await fixture.finishedBatch(metadata.name);
    expect(status).toMatchObject({ phase: 'Completed', completed: 1, failed: 4 });
    expect(status?.items?.[4]?.error?.code).toBe('expired');
    expect(await service.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 0 });
  });
});

it('A batch deleted while in progress is removed from the queue, with its data', async () => {
  const work = Promise.withResolvers<RenderOutcome>();
  const service = await fixture.boot({ render: () => work.promise });
  const batch = await fixture.batch(numbers(10));
  await eventually(async () => expect((await service.queue.depth()).batch).toBe(9));
  await fixture.batches.delete('default', batch.metadata.name);
  await eventually(async () => expect((await service.queue.depth()).batch).toBe(0));
  await eventually(async () => expect(await dataOf(batch)).toEqual(numbers(10).map(() => undefined)));
  work.resolve(failed('browser_crashed', true));
  fixture.clock.advance(60_000);
  await eventually(async () => expect(await service.metrics.render()).toContain('trifold_unfinished_jobs 0'));
  expect(service.tasks).toHaveLength(1);
});
