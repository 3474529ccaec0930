import { batchItemKey, batchItemsPrefix, type Batch } from '@trifold/crds';
import { failed, renderInto } from '@trifold/controller/testing/scripted-renderer.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookFixture } from './webhook-fixture.ts';

interface Told {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}

const fixture = WebhookFixture.forEachTest();
let allowed: number;
beforeEach(() => (allowed = 0));
afterEach(() => (allowed = Infinity));

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: `R-${index}` }));
const told = (): Told[] => fixture.receiver.received.map(({ body }) => JSON.parse(body) as Told);

/** Renders an item once the test allows it. */
async function render(task: RenderTask) {
  const index = Number(task.document.id.split('/')[1]);
  await eventually(async () => index < allowed, { intervalMs: 2, timeoutMs: 60_000 });
  return renderInto(fixture.controller.store, task, fixture.clock.now());
}

/** Lets one item complete per second. */
async function makeAll({ metadata, spec }: Batch): Promise<void> {
  const prefix = batchItemsPrefix('default', metadata.name) ?? '';
  while (allowed < spec.total) {
    allowed += 1;
    const key = batchItemKey(prefix, allowed - 1);
    await eventually(async () => (await fixture.controller.store.head(key)) ?? false, { intervalMs: 2 });
    fixture.clock.advance(1_000);
    for (let looks = 0; looks < 3; looks += 1) await fixture.all();
  }
  await fixture.controller.finishedBatch(metadata.name);
}

describe('Batch events', () => {
  it('report the end of the batch with its item results, but not the end of each item', async () => {
    await fixture.boot({
      render: async (task) =>
        task.document.id.endsWith('/1')
          ? failed('print_failed', false)
          : renderInto(fixture.controller.store, task, fixture.clock.now()),
    });
    await fixture.activeEndpoint();
    const { metadata } = await fixture.controller.batch(numbers(3));
    await fixture.controller.finishedBatch(metadata.name);
    await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    expect(told()).toMatchObject([
      { type: 'batch.completed', data: { id: metadata.name, total: 3, completed: 2, failed: 1 } },
    ]);
  });

  it('report a failure if all items failed', async () => {
    await fixture.boot({ render: async () => failed('print_failed', false) });
    await fixture.activeEndpoint();
    const { metadata } = await fixture.controller.batch(numbers(2));
    await fixture.controller.finishedBatch(metadata.name);
    await fixture.received(1);
    expect(told()).toMatchObject([
      { type: 'batch.failed', data: { status: 'failed', total: 2, completed: 0, failed: 2 } },
    ]);
  });

  it('report progress at most ten times, at least two seconds apart, and then the end', async () => {
    await fixture.boot({ render });
    await fixture.activeEndpoint();
    await makeAll(await fixture.controller.batch(numbers(40)));
    await eventually(async () => told().at(-1)?.type === 'batch.completed');
    const progress = told().slice(0, -1);
    expect(progress.length).toBeGreaterThan(4);
    expect(progress.length).toBeLessThanOrEqual(10);
    expect(new Set(progress.map(({ type }) => type))).toEqual(new Set(['batch.progress']));
    const times = progress.map(({ created_at: at }) => Date.parse(at));
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - times[index]!).toBeGreaterThanOrEqual(2_000);
    }
    const done = progress.map(({ data }) => data['completed'] as number);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(progress[0]?.data).toMatchObject({ status: 'processing', total: 40, failed: 0 });
    expect(new Set(told().map(({ id }) => id)).size).toBe(told().length);
  });

  it('exclude progress if no endpoint subscribes to it', async () => {
    await fixture.boot({ render });
    await fixture.activeEndpoint({ events: ['batch.completed'] });
    const batch = await fixture.controller.batch(numbers(10));
    await makeAll(batch);
    await fixture.received(1);
    expect(told().map(({ type }) => type)).toEqual(['batch.completed']);
    expect(
      (await fixture.controller.batches.get('default', batch.metadata.name)).status?.progress,
    ).toBeUndefined();
  });
});

it("A batch's events are sent one at a time, and a later one replaces undelivered progress", async () => {
  const held: ServerResponse[] = [];
  fixture.receiver.answer = (_request, response) => void held.push(response);
  await fixture.boot({ render });
  await fixture.activeEndpoint();
  await makeAll(await fixture.controller.batch(numbers(20)));
  // The first attempt is still in flight: nothing else is sent until it ends.
  expect(told().map(({ type }) => type)).toEqual(['batch.progress']);
  const all = await fixture.all();
  expect(all.length).toBeGreaterThan(3);
  fixture.receiver.answer = (_request, response) => void response.end();
  held[0]!.writeHead(503).end();
  await eventually(async () => told().at(-1)?.type === 'batch.completed', { intervalMs: 5 });
  expect(told().map(({ type }) => type)).toEqual(['batch.progress', 'batch.completed']);
  await eventually(async () =>
    (await fixture.all()).every(({ status }) => status?.phase === 'Delivered' || status?.phase === 'Failed'),
  );
  const superseded = (await fixture.all()).filter(({ status }) => status?.lastError?.code === 'superseded');
  expect(superseded).toHaveLength(all.length - 1);
});
