import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { UNFINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import { describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture, type Service } from '../../testing/controller-fixture.ts';

const fixture = ControllerFixture.forEachTest();

const FOREVER = new Promise<never>(() => undefined);

/** Cuts the watches: the service can still read single objects but sees no other changes. */
async function freezeCache(service: Service): Promise<void> {
  service.transport.fault = ({ method, path }) =>
    method === 'GET' && /\/(generationjobs|templates)$/.test(path) ? new Error('cut') : undefined;
  service.transport.cutWatches();
  await eventually(() => service.transport.openWatches === 0);
}

const writes = ({ transport }: Service) => transport.requests.filter(({ method }) => method !== 'GET');

describe('A standby controller', () => {
  it('reads only unfinished jobs, and writes and dispatches nothing', async () => {
    const standby = fixture.prepare();
    await standby.controllers.warm();
    expect([standby.controllers.isWarm, standby.controllers.ready]).toEqual([true, false]);
    const leader = await fixture.boot();
    await fixture.template();
    const { metadata } = await fixture.gatewayJob();
    await fixture.finished(metadata.name);
    await eventually(async () => {
      const { status } = await fixture.templates.get('default', 'invoice');
      return status?.observedGeneration === 1;
    });
    expect(leader.tasks).toHaveLength(1);
    expect([writes(standby), standby.tasks]).toEqual([[], []]);
    const ofJobs = standby.transport.requests.filter(({ path }) => path.endsWith('/generationjobs'));
    const selectors = new Set(ofJobs.map(({ query }) => query?.['fieldSelector']));
    expect(selectors).toEqual(new Set([UNFINISHED_WORK]));
  });

  it("takes over the leader's dispatched jobs and reports stored results that were never reported", async () => {
    const standby = fixture.prepare();
    await standby.controllers.warm();
    const leader = await fixture.boot({
      render: async (task) => {
        await renderInto(fixture.store, task, fixture.clock.now());
        return FOREVER;
      },
    });
    const { metadata: reported } = await fixture.gatewayJob();
    await eventually(async () => (await fixture.store.head(fixture.documentKey(reported.name))) ?? false);
    const { metadata: other } = await fixture.gatewayJob();
    await eventually(async () => (await fixture.store.head(fixture.documentKey(other.name))) ?? false);
    const { metadata: third } = await fixture.gatewayJob();
    await eventually(async () => (await leader.queue.depth()).interactive === 1);
    leader.abandonWork();

    await standby.controllers.start();
    for (const { name } of [reported, other, third]) {
      expect((await fixture.finished(name)).status?.phase).toBe('Completed');
    }
    // The files of the leader's two in-flight tasks were already stored.
    expect(standby.tasks.map(({ document }) => document.id)).toEqual([third.name]);
  });
});

describe('Two controllers that both act as leader', () => {
  /** Two controllers, each with its own queue and renderer; the test decides when each outcome arrives. */
  async function pair() {
    const boot = async () => {
      const outcome = Promise.withResolvers<RenderOutcome>();
      const service = await fixture.boot({ render: () => outcome.promise });
      return { service, finish: outcome.resolve };
    };
    const [current, stale] = [await boot(), await boot()];
    const { metadata } = await fixture.gatewayJob();
    await eventually(() => {
      expect(current.service.tasks).toHaveLength(1);
      expect(stale.service.tasks).toHaveLength(1);
    });
    await freezeCache(stale.service);
    return { current, stale, name: metadata.name };
  }

  async function expectUnchanged(name: string, stale: Service, before: string): Promise<void> {
    await eventually(() => expect(stale.statusWrites(name)).toHaveLength(1));
    const isRead = ({ method, path }: ApiRequest) => method === 'GET' && path.endsWith(`/${name}`);
    await eventually(() => stale.transport.requests.some(isRead));
    expect((await fixture.find(name))?.metadata.resourceVersion).toBe(before);
  }

  it.each([
    // The controller looks for the file before it fails a document, so it writes the same success, which is also
    // rejected.
    ['fail a complete document', 'Completed'],
    ['complete a failed document', 'Failed'],
  ])('the one with the outdated cache cannot %s', async (_what, phase) => {
    const { current, stale, name } = await pair();
    const complete = ({ tasks: [task] }: Service) => renderInto(fixture.store, task!, fixture.clock.now());
    const fail = () => failed('print_failed', false);
    current.finish(phase === 'Completed' ? await complete(current.service) : fail());
    const { metadata, status } = await fixture.finished(name);
    expect(status?.phase).toBe(phase);
    stale.finish(phase === 'Completed' ? fail() : await complete(stale.service));
    await expectUnchanged(name, stale.service, metadata.resourceVersion);
  });

  it('the one with the outdated cache cannot show a finished document as being rendered', async () => {
    const { current, stale, name } = await pair();
    const [task] = current.service.tasks;
    current.finish(await renderInto(fixture.store, task!, fixture.clock.now()));
    const { metadata } = await fixture.finished(name);
    fixture.clock.advance(1_000);
    await expectUnchanged(name, stale.service, metadata.resourceVersion);
  });
});
