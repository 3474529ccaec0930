import { batchItemKey, batchItemsPrefix } from '@trifold/crds';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture, type Service } from '../../testing/controller-fixture.ts';

let fixture: ControllerFixture;
beforeEach(async () => {
  fixture = await ControllerFixture.create();
});
afterEach(() => fixture.destroy());

const FOREVER = new Promise<never>(() => undefined);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: `R-${index}` }));
const indexOf = ({ document }: RenderTask) => Number(document.id.split('/')[1]);
const itemKey = (name: string, index: number) => batchItemKey(batchItemsPrefix('default', name) ?? '', index);
const find = (name: string) => fixture.batches.find('default', name);

/** Cuts the watches: the service can still read single objects, but sees no other change. */
async function freezeCache(service: Service): Promise<void> {
  service.transport.fault = ({ method, path }) =>
    method === 'GET' && /\/(batches|generationjobs|templates)$/.test(path) ? new Error('cut') : undefined;
  service.transport.cutWatches();
  await eventually(() => service.transport.openWatches === 0);
}

it('a standby writes nothing and continues a batch where the leader left it', async () => {
  const standby = fixture.prepare();
  await standby.controllers.warm();
  const leader = await fixture.boot({
    render: async (task) => {
      await renderInto(fixture.store, task, fixture.clock.now());
      // Stored, but never reported.
      return FOREVER;
    },
  });
  const { metadata } = await fixture.batch(numbers(5));
  await eventually(async () => (await fixture.store.head(itemKey(metadata.name, 0))) ?? false);
  expect(standby.transport.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  leader.abandonWork();

  await standby.controllers.start();
  const { status } = await fixture.finishedBatch(metadata.name);
  expect(status).toMatchObject({ phase: 'Completed', completed: 5, failed: 0 });
  expect(standby.tasks.map(indexOf)).toEqual([1, 2, 3, 4]);
});

describe('Two controllers that both act as leader', () => {
  /** Two controllers, each with its own queue and renderer; the test decides when a rendering of the stale one ends. */
  async function pair(stalesOutcome: 'completed' | 'failed') {
    const gate = Promise.withResolvers<void>();
    const stale = await fixture.boot({
      render: async (task) => {
        await gate.promise;
        if (stalesOutcome === 'failed') return failed('print_failed', false);
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const currents = Promise.withResolvers<void>();
    const current = await fixture.boot({
      render: async (task) => {
        await currents.promise;
        if (stalesOutcome === 'completed') return failed('print_failed', false);
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const { metadata } = await fixture.batch(numbers(2));
    await eventually(() => expect([current.tasks.length, stale.tasks.length]).toEqual([1, 1]));
    await freezeCache(stale);
    currents.resolve();
    const batch = await fixture.finishedBatch(metadata.name);
    return { stale, batch, releaseStale: gate.resolve };
  }

  it.each([
    ['fail a complete batch', 'failed', 'Completed'],
    ['complete a failed batch', 'completed', 'Failed'],
  ] as const)('the one with the outdated cache cannot %s', async (_what, stalesOutcome, phase) => {
    const { stale, batch, releaseStale } = await pair(stalesOutcome);
    const { name, resourceVersion } = batch.metadata;
    expect(batch.status?.phase).toBe(phase);
    releaseStale();
    await eventually(() => expect(stale.batchWrites(name).length).toBeGreaterThan(0));
    await eventually(() =>
      stale.transport.requests.some(
        ({ method, path }) => method === 'GET' && path.endsWith(`/batches/${name}`),
      ),
    );
    expect((await find(name))?.metadata.resourceVersion).toBe(resourceVersion);
  });
});
