import { setImmediate } from 'node:timers/promises';
import {
  BATCH,
  batchItemsPrefix,
  newId,
  USAGE_REPORT,
  type GenerationJob,
  type UsageReport,
} from '@trifold/crds';
import { WorkIndex, type IndexList } from '@trifold/platform/records/documents/work-index.ts';
import { usageOfReport } from '@trifold/platform/records/usage/usage-counters.ts';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { losing } from '@trifold/test-support/faults/losing-writes.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { FOREVER, CrashingProcess, itSurvivesEachStep } from '../testing/crashing-process.ts';
import {
  FAILED,
  finishedJob,
  forbidden,
  INTERVAL_MS,
  jobsLeft,
  reportWrites,
  TTL_MS,
  untilSettled,
  writesTo,
} from '../testing/usage.ts';
import { ControllerFixture, type Service, type ServiceOptions } from '../testing/controller-fixture.ts';

const TODAY = '2026-11-21';

const fixture = ControllerFixture.forEachTest();

/** Starts a controller whose renderer never finishes: only the test finishes jobs. */
const boot = (options: ServiceOptions = {}) => fixture.boot({ render: () => FOREVER, ...options });

const reports = () => fixture.kubernetes.resource(USAGE_REPORT);
const report = (day = TODAY) => reports().find('default', day);

async function counted(day = TODAY) {
  const { documents, failed, pages, bytes } = usageOfReport((await report(day)) as UsageReport);
  return { live: documents.live.pdf, test: documents.test.pdf, failed, pages, bytes };
}

/** Returns the IDs in the index, in the order of their rows. */
async function indexed(list: IndexList = 'documents'): Promise<string[]> {
  const index = new WorkIndex(fixture.store);
  const { chunks } = await index.list('default', list, fixture.clock.now());
  const rows = await Promise.all(chunks.map(({ key }) => index.read<{ id: string }>(key)));
  return rows.flatMap((each) => each ?? []).map(({ id }) => id);
}

describe('A usage report', () => {
  it('counts documents by mode, with pages and bytes, and failures', async () => {
    await boot();
    await finishedJob(fixture);
    await finishedJob(fixture);
    await finishedJob(fixture, { spec: { mode: 'test' } });
    await finishedJob(fixture, { status: FAILED });
    fixture.clock.advance(TTL_MS);
    await untilSettled(fixture);
    expect(await counted()).toEqual({ live: 2, test: 1, failed: 1, pages: 6, bytes: 3000 });
    expect((await report())?.status).toMatchObject({ live: 2, test: 1, pendingCount: 0, pending: [] });
  });

  it('counts a batch once and its items as documents and failures, and adds its row to the index', async () => {
    await boot();
    const batches = fixture.kubernetes.resource(BATCH);
    const name = newId('bat', fixture.clock.now());
    const prefix = batchItemsPrefix('default', name) ?? '';
    const batch = await batches.create({
      metadata: { name, namespace: 'default' },
      spec: {
        templateRef: { name: 'invoice' },
        revision: 'a'.repeat(64),
        version: 1,
        itemsRef: { prefix, size: 10 },
        total: 3,
        mode: 'test',
      },
    });
    const items = [
      { index: 0, phase: 'Completed' as const, pages: 2, size: 700 },
      { index: 1, phase: 'Failed' as const, error: FAILED.error },
      { index: 2, phase: 'Completed' as const, pages: 3, size: 800 },
    ];
    const finishedAt = fixture.clock.now().toISOString();
    await eventually(async () => {
      const { metadata } = await batches.get('default', name);
      const status = { phase: 'Completed' as const, completed: 2, failed: 1, items, finishedAt };
      return batches.replaceStatus({ ...batch, metadata, status });
    });
    await finishedJob(fixture);
    await fixture.clock.passUntil(TTL_MS, async () => (await batches.list()).items.length === 0);
    await untilSettled(fixture);
    expect(await counted()).toEqual({ live: 1, test: 2, failed: 1, pages: 7, bytes: 2500 });
    expect((await report())?.status?.batches).toBe(1);
    expect(await indexed('batches')).toEqual([name]);
  });

  it('counts a job on the day it was accepted', async () => {
    await boot();
    const accepted = newId('gen', fixture.clock.now());
    const tomorrow = newId('gen', new Date(fixture.clock.now().getTime() + 24 * 3_600_000));
    await finishedJob(fixture, { name: accepted });
    fixture.clock.advance(24 * 3_600_000);
    await finishedJob(fixture, { name: tomorrow });
    fixture.clock.advance(TTL_MS);
    await untilSettled(fixture);
    expect([(await counted()).live, (await counted('2026-11-22')).live]).toEqual([1, 1]);
  });

  it('excludes jobs within their time to live and jobs deleted earlier by a client', async () => {
    await boot();
    const { metadata } = await finishedJob(fixture);
    await finishedJob(fixture, { spec: { ttlSecondsAfterFinished: 86_400 } });
    await fixture.jobs.delete('default', metadata.name);
    await finishedJob(fixture);
    fixture.clock.advance(TTL_MS);
    await fixture.clock.passUntil(INTERVAL_MS, async () => (await jobsLeft(fixture)) === 1);
    expect((await counted()).live).toBe(1);
  });

  it('counts a job once even if a finalizer keeps its resource', async () => {
    await boot();
    const { metadata } = await finishedJob(fixture, { finalizers: ['example.com/archive'] });
    fixture.clock.advance(TTL_MS);
    await fixture.clock.passUntil(
      INTERVAL_MS,
      async () => (await fixture.find(metadata.name))?.metadata.deletionTimestamp !== undefined,
    );
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await finishedJob(fixture, { spec: { ttlSecondsAfterFinished: 0 } });
      fixture.clock.advance(60_000);
    }
    await fixture.clock.passUntil(INTERVAL_MS, async () => (await counted()).live >= 6);
    expect((await counted()).live).toBe(6);
    await fixture.jobs.patch({ namespace: 'default', name: metadata.name }, { metadata: { finalizers: [] } });
    await untilSettled(fixture);
    expect((await counted()).live).toBe(6);
  });

  it('needs few writes for many jobs: one delete each and one report write per five hundred', async () => {
    const jobs = 1200;
    for (let made = 0; made < jobs; made += 1) await finishedJob(fixture);
    const steps = new CrashingProcess(Infinity, false);
    const service = await boot({ wrap: steps.wrap });
    await eventually(() => steps.steps >= jobs);
    fixture.clock.advance(TTL_MS);
    await untilSettled(fixture);
    expect((await counted()).live).toBe(jobs);
    expect(writesTo(service, /\/generationjobs\//)).toHaveLength(jobs);
    const writes = writesTo(service, /\/usagereports/);
    expect(writes.length).toBeLessThan(10);
    for (const { body } of writes) {
      const { status } = JSON.parse(body ?? '{}') as UsageReport;
      expect(status?.pending?.length ?? 0).toBeLessThanOrEqual(500);
    }
    // Read individually only if a list did not contain it.
    const reads = service.transport.requests.filter(
      ({ method, path }) => method === 'GET' && /\/generationjobs\/./.test(path),
    );
    expect(reads.length).toBeLessThan(100);
  });
});

describe('The usage count', () => {
  itSurvivesEachStep('counts a job once and keeps its row when the controller dies', async (process) => {
    await fixture.renew();
    const jobs: GenerationJob[] = [];
    for (let made = 0; made < 3; made += 1) jobs.push(await finishedJob(fixture));
    jobs.push(await finishedJob(fixture, { status: FAILED }));
    fixture.clock.advance(TTL_MS);
    const config = { usageIntervalMs: INTERVAL_MS };
    await boot({ wrap: process.wrap, dead: () => process.dead, config });
    await untilSettled(fixture, () => process.dead);

    jobs.push(await finishedJob(fixture));
    fixture.clock.advance(TTL_MS);
    await boot({ config });
    await untilSettled(fixture);
    expect(new Set(await indexed())).toEqual(new Set(jobs.map(({ metadata }) => metadata.name)));
    expect(await counted()).toEqual({ live: 4, test: 0, failed: 1, pages: 8, bytes: 4000 });
  });

  it('counts a job once when two controllers both act as leader', async () => {
    const [one, other] = [await boot(), await boot()];
    for (let rounds = 0; rounds < 5; rounds += 1) {
      for (let made = 0; made < 30; made += 1) await finishedJob(fixture);
      fixture.clock.advance(TTL_MS);
      await untilSettled(fixture);
    }
    expect(await counted()).toMatchObject({ live: 150, pages: 300, bytes: 150_000 });
    expect(new Set(await indexed()).size).toBe(150);
    expect(writesTo(one, /usagereports/).length).toBeGreaterThan(0);
    expect(writesTo(other, /usagereports/).length).toBeGreaterThan(0);
  });

  it('does not count a job again if a cache still has it', async () => {
    for (let made = 0; made < 60; made += 1) await finishedJob(fixture);
    const stale = await boot();
    const isCache = (path: string) => /v1alpha1\/(generationjobs|templates)$/.test(path);
    let isCut = true;
    stale.transport.fault = ({ path }) => (isCut || isCache(path) ? new Error('cut') : undefined);
    stale.transport.cutWatches();
    await eventually(() => stale.transport.openWatches === 0);
    const current = await boot();
    fixture.clock.advance(TTL_MS);
    await fixture.clock.passUntil(
      INTERVAL_MS,
      async () => (await jobsLeft(fixture)) === 0 && (await report())?.status?.pendingCount === 0,
    );
    current.abandonWork();
    isCut = false;
    const before = stale.transport.requests.length;
    const since = () => stale.transport.requests.slice(before).map(({ path }) => path);
    await fixture.clock.passUntil(INTERVAL_MS, () =>
      since().some((path) => path.endsWith('namespaces/default/generationjobs')),
    );
    for (let passed = 0; passed < 10; passed += 1) fixture.clock.advance(INTERVAL_MS);
    await eventually(async () =>
      expect(since().filter((path) => /usagereports\/./.test(path)).length).toBeGreaterThan(0),
    );
    expect((await counted()).live).toBe(60);
  });

  it('counts a job once when the responses to its writes are lost', async () => {
    const isUsage = ({ method, path }: ApiRequest) => method === 'DELETE' || path.includes('usagereports');
    const isLost = (request: ApiRequest) => request.method !== 'GET' && isUsage(request);
    await boot({ wrap: { transport: losing(isLost, 'after', 8) } });
    for (let made = 0; made < 5; made += 1) await finishedJob(fixture);
    fixture.clock.advance(TTL_MS);
    await untilSettled(fixture);
    expect((await counted()).live).toBe(5);
  });

  it('is not slowed by a job that cannot be deleted, and retries it once a minute', async () => {
    const service = await boot({ config: { usageIntervalMs: INTERVAL_MS } });
    const { metadata } = await finishedJob(fixture);
    const { name } = metadata;
    const isDelete = ({ method, path }: ApiRequest) => method === 'DELETE' && path.endsWith(name);
    service.transport.fault = (request) => (isDelete(request) ? forbidden() : undefined);
    const deletes = () => writesTo(service, /generationjobs/).filter(isDelete).length;
    fixture.clock.advance(TTL_MS);
    await eventually(() => deletes() > 0);
    const rounds = 12;
    for (let made = 0; made < rounds; made += 1) {
      // Ten jobs arrive in each interval, one after another, and each requests a round.
      for (let come = 0; come < 10; come += 1) {
        await finishedJob(fixture, { spec: { ttlSecondsAfterFinished: 0 } });
        fixture.clock.advance(INTERVAL_MS / 10);
        await eventuallyQuiet(service);
      }
    }
    const minutes = (rounds * INTERVAL_MS) / 60_000;
    expect((await counted()).live).toBeGreaterThan(10 * (rounds - 2));
    const counts = reportWrites(service)
      .filter(({ live, pendingCount }) => live !== 0 || pendingCount !== 0)
      .map(({ live, pending }) => JSON.stringify([live, pending]));
    // One write counts an interval's jobs and confirms the previous interval's jobs.
    expect(new Set(counts).size).toBeLessThanOrEqual(rounds + 2);
    expect(deletes()).toBeLessThanOrEqual(minutes + 1);
    // A chunk of the index may be replaced while it is read.
    await eventually(async () => (await indexed()).filter((id) => id === name).length === 1);
    const asked = service.transport.requests.filter(({ path }) => path.endsWith(`/generationjobs/${name}`));
    expect(asked.length).toBeLessThanOrEqual(3 * (minutes + 1));
    service.transport.fault = undefined;
    await untilSettled(fixture);
    expect((await counted()).live).toBe(10 * rounds + 1);
  });
});

/** Resolves when the controller has sent no request in three checks with some event loop turns in between. */
async function eventuallyQuiet({ transport }: Service): Promise<void> {
  let before = -1;
  let same = 0;
  await eventually(
    async () => {
      for (let turns = 0; turns < 5; turns += 1) await setImmediate();
      same = transport.requests.length === before ? same + 1 : 1;
      before = transport.requests.length;
      return same >= 3;
    },
    { intervalMs: 5 },
  );
}
