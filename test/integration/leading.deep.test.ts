import { GENERATION_JOB } from '@trifold/crds';
import { ControllerFixture } from '@trifold/controller/testing/controller-fixture.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { FINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { seededJob } from '../support/kubernetes/seeded-jobs.ts';

const FINISHED = 2_000;
const UNFINISHED = 50;
const KEPT = 1_500;

const missing = !kubeApiServerPrograms() && !process.env['CI'];
if (missing) {
  console.warn('skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
}

describe.skipIf(missing)('A controller that starts beside many finished jobs', () => {
  let server: KubeApiServer;
  let transport: HttpTransport;
  let fixture: ControllerFixture;

  beforeAll(async () => {
    server = await startKubeApiServer();
    transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
    fixture = ControllerFixture.over(transport);
  });
  afterAll(async () => {
    await fixture?.destroy();
    transport?.close();
    await server?.stop();
  });

  /** Holds lists and watches of finished work back until `known` resolves. */
  function withoutFinished(inner: ApiTransport, known: Promise<void>): ApiTransport {
    return {
      async send(request) {
        if (request.query?.['fieldSelector'] === FINISHED_WORK) await known;
        return inner.send(request);
      },
    };
  }

  const unfinished = async () => {
    const fieldSelector = 'status.phase!=Completed,status.phase!=Failed';
    return (await fixture.jobs.list({ fieldSelector })).items.length;
  };

  it('finishes unfinished jobs before it reads finished ones, then counts and deletes the surplus', async () => {
    const now = fixture.clock.now();
    const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    await server.seed(GENERATION_JOB, [
      ...Array.from({ length: FINISHED }, (_, index) =>
        seededJob('default', before(60 + index / 100), 'Completed'),
      ),
      ...Array.from({ length: UNFINISHED }, (_, index) =>
        seededJob('default', before(index / 10), 'Pending'),
      ),
    ]);
    expect(await unfinished()).toBe(UNFINISHED);

    const finishedWorkIsKnown = Promise.withResolvers<void>();
    await fixture.boot({
      config: { finishedJobsPerAccount: KEPT, ttlSecondsAfterFinished: 86_400 },
      wrap: { transport: (inner) => withoutFinished(inner, finishedWorkIsKnown.promise) },
    });
    await eventually(async () => (await unfinished()) === 0, { timeoutMs: 120_000 });

    finishedWorkIsKnown.resolve();
    const left = async () => (await fixture.jobs.list({ limit: 5_000 })).items;
    const jobs = await eventually(
      async () => {
        fixture.clock.advance(1_000);
        const items = await left();
        return items.length === KEPT && items;
      },
      { timeoutMs: 180_000, intervalMs: 200 },
    );
    // The youngest stay.
    expect(jobs.filter(({ status }) => status?.size !== 1000)).toHaveLength(UNFINISHED);
    const { items: reports } = await fixture.reports.list();
    const live = reports.reduce((sum, { status }) => sum + (status?.live ?? 0), 0);
    expect(live).toBe(FINISHED + UNFINISHED - KEPT);
  }, 400_000);
});
