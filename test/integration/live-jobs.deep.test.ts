import { JobQuota } from '@trifold/api-gateway/work/admission/job-quota.ts';
import { OwnJobs } from '@trifold/api-gateway/work/documents/job-waiters.ts';
import {
  BATCH,
  BATCH_ITEMS_LABEL,
  GATEWAY_LABEL,
  GENERATION_JOB,
  type Batch,
  type GenerationJob,
} from '@trifold/crds';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';

const missing = !kubeApiServerPrograms() && !process.env['CI'];
if (missing) {
  console.warn('skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
}

/**
 * The tests of api-gateway/testing over the embedded control plane rely on watches that a real API server must serve in
 * the same way.
 */
describe.skipIf(missing)('Unfinished jobs on a real API server', () => {
  const namespace = 'default';
  let server: KubeApiServer;
  let transport: HttpTransport;
  let ownJobs: OwnJobs;
  let live: JobQuota;

  beforeAll(async () => {
    server = await startKubeApiServer();
    transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
    const logger = createLogger({ level: 'silent', name: 'test' });
    const kubernetes = new KubernetesClient(transport);
    ownJobs = new OwnJobs(kubernetes, 'gw-test', systemClock, logger);
    live = new JobQuota(2, ownJobs, kubernetes, { clock: systemClock, logger });
  });
  afterAll(async () => {
    await live?.stop();
    await ownJobs?.stop();
    transport?.close();
    await server?.stop();
  });

  const isFull = () => {
    try {
      live.reserve({ kind: GENERATION_JOB.kind, account: namespace, name: 'another', documents: 1 })();
      return false;
    } catch {
      return true;
    }
  };
  const full = (wanted: boolean) => eventually(() => isFull() === wanted);

  it('are counted from their creation to their final status without a read', async () => {
    const jobs = new KubernetesClient(transport).resource<GenerationJob>(GENERATION_JOB);
    const spec = { templateRef: { name: 'letter' }, data: {}, format: 'pdf' as const };
    const create = (name: string) => jobs.create({ metadata: { name, namespace }, spec });
    await create('before');
    live.start();
    ownJobs.start();
    await create('while-watched');
    await full(true);
    await jobs.patchStatus({ namespace, name: 'before' }, { status: { phase: 'Processing' } });
    await jobs.patchStatus({ namespace, name: 'before' }, { status: { phase: 'Completed' } });
    await full(false);
    await create('one-more');
    await full(true);
    await jobs.delete(namespace, 'while-watched');
    await full(false);
    expect((await jobs.list({ namespace })).items).toHaveLength(2);
  });

  it('are counted together with the items of unfinished batches', async () => {
    await full(false);
    const batches = new KubernetesClient(transport).resource<Batch>(BATCH);
    const name = 'bat-1';
    await batches.create({
      metadata: { name, namespace, labels: { [BATCH_ITEMS_LABEL]: '2' } },
      spec: {
        templateRef: { name: 'letter' },
        revision: 'a'.repeat(64),
        version: 1,
        itemsRef: { prefix: 'documents/', size: 4 },
        total: 2,
      },
    });
    await full(true);
    await batches.patchStatus({ namespace, name }, { status: { phase: 'Completed' } });
    await full(false);
  });

  it.each([
    ['without a waiting gateway', {}],
    ['that this gateway waits for', { [GATEWAY_LABEL]: 'gw-test' }],
    ['that another gateway waits for', { [GATEWAY_LABEL]: 'gw-another' }],
  ])('%s are counted as soon as they are created, and until their final status', async (what, labels) => {
    await full(false);
    const jobs = new KubernetesClient(transport).resource<GenerationJob>(GENERATION_JOB);
    const spec = { templateRef: { name: 'letter' }, data: {}, format: 'pdf' as const };
    for (const number of [1, 2, 3]) {
      const name = `${what.replaceAll(' ', '-')}-${number}`;
      const work = { kind: GENERATION_JOB.kind, account: namespace, name, documents: 1 };
      const release = live.reserve(work);
      live.created(await jobs.create({ metadata: { name, namespace, labels }, spec }));
      release();
      expect(isFull()).toBe(true);
      await jobs.patchStatus({ namespace, name }, { status: { phase: 'Failed' } });
      await full(false);
    }
  });
});
