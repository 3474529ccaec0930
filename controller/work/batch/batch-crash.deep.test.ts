import {
  batchItemKey,
  batchItemsPrefix,
  documentKeyOfId,
  recordKey,
  USAGE_REPORT,
  type Batch,
  type UsageReport,
} from '@trifold/crds';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import { decodeBatchRecord } from '@trifold/platform/records/documents/finished-batch.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { usageOfReport } from '@trifold/platform/records/usage/usage-counters.ts';
import { describe, expect } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { CrashingProcess, itSurvivesEachStep } from '../../testing/crashing-process.ts';
import { ControllerFixture, type Service } from '../../testing/controller-fixture.ts';

const fixture = ControllerFixture.forEachTest();

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: `R-${index}` }));
const indexOf = ({ document }: RenderTask) => Number(document.id.split('/')[1]);
const attemptOf = ({ id }: RenderTask) => Number(id.slice(id.lastIndexOf('-') + 1));
const find = (name: string) => fixture.batches.find('default', name);
const itemKey = (name: string, index: number) => batchItemKey(batchItemsPrefix('default', name) ?? '', index);

/** One of three items completes immediately, one on its second attempt, and one never. */
function boot(process: CrashingProcess): Promise<Service> {
  const store = process.store(fixture.store);
  return fixture.boot({
    wrap: process.wrap,
    dead: () => process.dead,
    render: async (task) => {
      if (indexOf(task) === 1) return failed('print_failed', false);
      if (indexOf(task) === 2 && attemptOf(task) === 1) return failed('browser_crashed', true);
      return renderInto(store, task, fixture.clock.now());
    },
  });
}

/** Runs the process until the batch is deleted and counted, or the process crashes. */
async function live(process: CrashingProcess, service: Service, name: string): Promise<void> {
  await eventually(async () => {
    if (process.dead) return true;
    const batch = await find(name);
    if (!batch && (await report())?.status?.pending?.length === 0) return true;
    // Only a finished batch waits a long time.
    const ended = !batch || batch.status?.finishedAt;
    fixture.clock.advance(ended ? 600_000 : service.tasks.length > 0 ? 500 : 0);
    return false;
  });
}

async function report(): Promise<UsageReport | undefined> {
  return fixture.kubernetes.resource(USAGE_REPORT).find('default', '2026-11-21');
}

async function expectOutcome({ metadata }: Batch): Promise<void> {
  const { name } = metadata;
  expect(await find(name)).toBeUndefined();
  const { objects } = await fixture.store.list(batchItemsPrefix('default', name) ?? '');
  expect(objects.map(({ key }) => key)).toEqual([itemKey(name, 0), itemKey(name, 2)]);
  const body = await fixture.store.read(recordKey(documentKeyOfId('default', name) ?? ''));
  expect(body && decodeBatchRecord(body)).toMatchObject({
    uid: metadata.uid,
    status: 'completed',
    completed: 2,
    failed: 1,
    items: [
      { index: 0, phase: 'Completed', pages: 2 },
      { index: 1, phase: 'Failed', error: { code: 'print_failed' } },
      { index: 2, phase: 'Completed', pages: 2 },
    ],
  });
  const { documents, failed: failures, batches } = usageOfReport((await report()) as UsageReport);
  expect([documents.live.pdf, failures, batches]).toEqual([2, 1, 1]);
}

describe('The batch controller', () => {
  itSurvivesEachStep('survives a crash at every step', async (process) => {
    await fixture.renew();
    const first = await boot(process);
    const batch = await fixture.batch(numbers(3));
    await live(process, first, batch.metadata.name);

    const survivor = new CrashingProcess(Infinity, false);
    const second = await boot(survivor);
    await live(survivor, second, batch.metadata.name);
    await expectOutcome(batch);
    const tasks = [...first.tasks, ...second.tasks];
    for (const index of [0, 1, 2]) {
      const attempts = tasks.filter((task) => indexOf(task) === index).map(attemptOf);
      // Each attempt runs at most one more time than without the crash, and no attempt is added.
      expect(attempts.length).toBeLessThanOrEqual(index === 2 ? 3 : 2);
      expect(Math.max(...attempts)).toBe(index === 2 ? 2 : 1);
    }
  });
});
