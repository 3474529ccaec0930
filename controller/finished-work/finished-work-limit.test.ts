import { newId, USAGE_REPORT } from '@trifold/crds';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ControllerFixture } from '../testing/controller-fixture.ts';
import { FOREVER } from '../testing/crashing-process.ts';
import { finishedJob } from '../testing/usage.ts';
import { FinishedWorkLimit } from './finished-work-limit.ts';

describe('The limit on finished work', () => {
  let clock: FakeClock;
  let limit: FinishedWorkLimit;
  beforeEach(() => {
    clock = new FakeClock();
    const limits = { finishedJobsPerAccount: 3, finishedJobs: 5, keptJobsPerAccount: 2 };
    limit = new FinishedWorkLimit(limits, clock);
  });

  const swept = () => limit.sweep().map(({ name }) => name);

  function finish(name: string, account = 'acme', mayLeaveEarly = true): void {
    const finishedAt = clock.now().getTime();
    limit.note({ kind: 'Job', account, name, uid: name, day: '2026-11-21', finishedAt, mayLeaveEarly });
    clock.advance(100);
  }

  it("returns an account's oldest work once it is ten seconds old", () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) finish(name);
    clock.advance(9_000);
    expect(swept()).toEqual([]);
    clock.advance(1_000);
    expect(swept()).toEqual(['a', 'b']);
    expect(swept()).toEqual([]);
    expect(['b', 'c'].map((uid) => limit.isSurplus(uid))).toEqual([true, false]);
    limit.forget('acme', 'b');
    expect(limit.isSurplus('b')).toBe(false);
  });

  it('returns the oldest work of all accounts when their total is too high', () => {
    const accounts = { a: 'one', b: 'two', c: 'two', d: 'three', e: 'one', f: 'three', g: 'two' };
    for (const [name, account] of Object.entries(accounts)) finish(name, account);
    clock.advance(10_000);
    expect(swept()).toEqual(['a', 'b']);
  });

  it('never returns work that must be kept, and counts it separately', () => {
    for (const name of ['a', 'b', 'c']) finish(name, 'acme', false);
    for (const name of ['d', 'e', 'f', 'g']) finish(name);
    clock.advance(10_000);
    expect(swept()).toEqual(['d']);
    expect(['acme', 'other'].map((account) => limit.isFull(account))).toEqual([true, false]);
    limit.forget('acme', 'a');
    limit.forget('acme', 'b');
    expect(limit.isFull('acme')).toBe(false);
  });

  it('keeps excess work whose time to live was set in the meantime', () => {
    for (const name of ['a', 'b', 'c', 'd']) finish(name);
    clock.advance(10_000);
    limit.sweep();
    finish('a', 'acme', false);
    expect(limit.isSurplus('a')).toBe(false);
  });
});

describe("A controller's finished jobs", () => {
  const fixture = ControllerFixture.forEachTest();

  const newName = () => newId('gen', fixture.clock.now());
  const namesLeft = async () => (await fixture.jobs.list()).items.map(({ metadata }) => metadata.name);

  it('are counted, indexed and deleted beyond the limit, except those that must be kept', async () => {
    const config = { finishedJobsPerAccount: 2, usageIntervalMs: 1_000 };
    await fixture.boot({ render: () => FOREVER, config });
    const kept = ['by-hand', newName()];
    await finishedJob(fixture, { name: 'by-hand' });
    await finishedJob(fixture, { name: kept[1] as string, spec: { ttlSecondsAfterFinished: 300 } });
    const names: string[] = [];
    for (let made = 0; made < 6; made += 1) {
      names.push(newName());
      await finishedJob(fixture, { name: names.at(-1) as string });
      fixture.clock.advance(10);
    }
    await fixture.clock.passUntil(1_000, async () => {
      const left = await namesLeft();
      const report = await fixture.reports.find('default', '2026-11-21');
      return left.length === 4 && report?.status?.pendingCount === 0;
    });
    expect(new Set(await namesLeft())).toEqual(new Set([...kept, ...names.slice(4)]));
    const report = await fixture.kubernetes.resource(USAGE_REPORT).get('default', '2026-11-21');
    expect(report.status?.live).toBe(4);
    const index = new WorkIndex(fixture.store);
    const { chunks } = await index.list('default', 'documents', fixture.clock.now());
    const rows = await Promise.all(chunks.map(({ key }) => index.read<{ id: string }>(key)));
    expect(rows.flatMap((each) => each ?? []).map(({ id }) => id)).toEqual(names.slice(0, 4));
  });

  it('fail and are deleted early beyond the limit for jobs that must be kept', async () => {
    await fixture.template();
    const config = { finishedJobsPerAccount: 0, keptJobsPerAccount: 2, usageIntervalMs: 1_000 };
    await fixture.boot({ config });
    for (const name of ['first', 'second']) {
      await fixture.kubectlJob(name);
      expect((await fixture.finished(name)).status?.phase).toBe('Completed');
    }
    // The retention of the next job records them.
    await eventually(async () => {
      const name = `next-${newName()}`;
      await fixture.kubectlJob(name);
      const { status } = await fixture.finished(name);
      return status?.error?.code === 'too_many_kept';
    });
    await fixture.clock.passUntil(1_000, async () => {
      const { items } = await fixture.jobs.list();
      return items.length >= 2 && items.every(({ status }) => status?.error === undefined);
    });
    expect(await namesLeft()).toEqual(expect.arrayContaining(['first', 'second']));
  });
});
