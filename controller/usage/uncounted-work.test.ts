import type { UsageReportStatus } from '@trifold/crds';
import { readAsOf } from '@trifold/platform/records/usage/stored-totals.ts';
import { expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture } from '../testing/controller-fixture.ts';
import { FOREVER } from '../testing/crashing-process.ts';
import {
  FAILED,
  finishedJob,
  forbidden,
  INTERVAL_MS,
  reportWrites,
  TTL_MS,
  untilSettled,
} from '../testing/usage.ts';

const TODAY = '2026-11-21';

const fixture = ControllerFixture.forEachTest();

/** Starts a controller whose renderer never finishes: only the test finishes jobs. */
const boot = () => fixture.boot({ render: () => FOREVER });

const report = (day = TODAY) => fixture.reports.find('default', day);

const asOf = async () => Date.parse((await readAsOf(fixture.store)) ?? '');

/** Advances the clock until the reports are confirmed to be correct as of a later time. */
async function untilUpdated(): Promise<void> {
  const now = fixture.clock.now().getTime();
  await fixture.clock.passUntil(INTERVAL_MS, async () => (await asOf()) > now);
}

const uncounted = async () => (await report())?.status?.uncounted;

it('Uncounted work appears in its report within an interval, needs no write while nothing changes, and moves to the counters in one write', async () => {
  const service = await boot();
  for (let made = 0; made < 3; made += 1) await finishedJob(fixture);
  await finishedJob(fixture, { status: FAILED });
  const documents = { live: { pdf: 3 }, test: { pdf: 0 } };
  await fixture.clock.passUntil(INTERVAL_MS, async () =>
    expect(await uncounted()).toMatchObject({ work: 4, documents, failed: 1, pages: 6, bytes: 3000 }),
  );
  const written = reportWrites(service).length;
  for (let passed = 0; passed < 5; passed += 1) await untilUpdated();
  expect(reportWrites(service)).toHaveLength(written);

  fixture.clock.advance(TTL_MS);
  await untilSettled(fixture);
  expect((await report())?.status).toMatchObject({ live: 3, failed: 1, pages: 6 });
  expect(await uncounted()).toMatchObject({ work: 0, documents: { live: { pdf: 0 } }, failed: 0 });
  const pages = (status: UsageReportStatus) => (status.pages ?? 0) + (status.uncounted?.pages ?? 0);
  expect(reportWrites(service).slice(written).map(pages)).not.toContain(0);
  expect(new Set(reportWrites(service).slice(written).map(pages))).toEqual(new Set([6]));
});

it('Uncounted work disappears from its report when the work is deleted, or if only another controller recorded the work', async () => {
  const { metadata } = await finishedJob(fixture);
  const made = await fixture.reports.create({
    metadata: { name: '2026-11-20', namespace: 'default' },
    spec: { day: '2026-11-20' },
  });
  await fixture.reports.replaceStatus({ ...made, status: { uncounted: { work: 7 }, pendingCount: 0 } });
  await boot();
  await eventually(async () => (await report('2026-11-20'))?.status?.uncounted?.work === 0);
  await eventually(async () => (await uncounted())?.work === 1);
  await fixture.jobs.delete('default', metadata.name);
  await fixture.clock.passUntil(INTERVAL_MS, async () => (await uncounted())?.work === 0);
});

it('The uncounted work in a report is known to be correct as of the last interval, unless a report cannot be written', async () => {
  const service = await boot();
  await untilUpdated();
  service.transport.fault = ({ method, path }) =>
    method === 'PUT' && path.includes('usagereports') ? forbidden() : undefined;
  await finishedJob(fixture);
  const attempts = () => reportWrites(service).length;
  await fixture.clock.passUntil(INTERVAL_MS, () => attempts() >= 2);
  const before = fixture.clock.now().getTime();
  await fixture.clock.passUntil(INTERVAL_MS, () => attempts() >= 5);
  expect(await asOf()).toBeLessThan(before);
  service.transport.fault = undefined;
  await fixture.clock.passUntil(INTERVAL_MS, async () => (await uncounted())?.work === 1);
  await untilUpdated();
});
