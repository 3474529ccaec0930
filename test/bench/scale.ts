import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGatewayConfig } from '@trifold/api-gateway/config.ts';
import { createGateway } from '@trifold/api-gateway/gateway.ts';
import { loadControllerConfig } from '@trifold/controller/config.ts';
import { createControllers } from '@trifold/controller/controllers.ts';
import { renderInto } from '@trifold/controller/testing/scripted-renderer.ts';
import { GENERATION_JOB, SCOPES, type GenerationJob } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import { UNFINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import { systemClock as clock } from '@trifold/platform/service/clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { eventually } from '../support/eventually.ts';
import { startKubeApiServer, type KubeApiServer } from '../support/kubernetes/kube-apiserver.ts';
import { seededJob } from '../support/kubernetes/seeded-jobs.ts';
import { descendantsOf } from '../support/processes/process-tree.ts';
import { rounded } from './measurement/report.ts';

const ACCOUNTS = 20;
const UNFINISHED_SHARE = 0.05;
const PER_SECOND = 200;
const PORTION = 5_000;
const CATCH_UP_DEADLINE_MS = 300_000;
const ALL_FINISHED_DEADLINE_MS = 600_000;

/**
 * Measures a cold start beside this many jobs, of which 5 % are unfinished: a controller, then a gateway, in this process,
 * over a real API server. Documents are not rendered.
 */
export async function benchScale(jobs: number): Promise<void> {
  const server = await startKubeApiServer();
  const root = await mkdtemp(join(tmpdir(), 'trifold-scale-'));
  const checkPool = new CheckPool();
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
  const kubernetes = new KubernetesClient(transport);
  const shared = {
    kubernetes,
    store: new DirectoryStore({ root }),
    checkPool,
    clock,
    logger: createLogger({ name: 'bench', level: 'silent' }),
    metrics: new Metrics(),
  };
  try {
    for (let account = 0; account < ACCOUNTS; account += 1)
      await ensureAccount(kubernetes, accountName(account));
    await seed(server, jobs);
    const client = kubernetes.resource<GenerationJob>(GENERATION_JOB);
    // The API server learns of the objects from its watch of etcd.
    await eventually(() => client.list({ fieldSelector: UNFINISHED_WORK }), {
      timeoutMs: CATCH_UP_DEADLINE_MS,
    });
    console.log(`jobs: ${jobs}; memory of the API server: ${memoryMiB()} MiB`);
    await measureController(shared);
    await measureGateway(shared);
    console.log(`memory of the API server: ${memoryMiB()} MiB`);
  } finally {
    await checkPool.stop();
    transport.close();
    await server.stop();
    await rm(root, { recursive: true });
  }
}

interface Shared extends Pick<Parameters<typeof createGateway>[0], 'kubernetes' | 'store' | 'checkPool'> {
  readonly clock: typeof clock;
  readonly logger: ReturnType<typeof createLogger>;
  readonly metrics: Metrics;
}

const accountName = (index: number) => `acme-${index % ACCOUNTS}`;

/** The youngest jobs are unfinished. */
async function seed(server: KubeApiServer, jobs: number): Promise<void> {
  const now = Date.now();
  const finished = Math.round(jobs * (1 - UNFINISHED_SHARE));
  const jobAt = (index: number) => {
    const createdAt = new Date(now - ((jobs - index) * 1000) / PER_SECOND);
    return seededJob(accountName(index), createdAt, index < finished ? 'Completed' : 'Pending');
  };
  for (let start = 0; start < jobs; start += PORTION) {
    const size = Math.min(PORTION, jobs - start);
    await server.seed(
      GENERATION_JOB,
      Array.from({ length: size }, (_, index) => jobAt(start + index)),
    );
  }
}

async function measureController(shared: Shared): Promise<void> {
  const queue = new InProcessQueue({ clock, carriedDataBytes: 0 });
  const dispatched = Promise.withResolvers<void>();
  const began = performance.now();
  const controllers = createControllers({ ...shared, queue, config: loadControllerConfig({}) });
  queue.work(
    async (task) => {
      dispatched.resolve();
      return renderInto(shared.store, task, clock.now());
    },
    { concurrency: 4 },
  );
  await controllers.start();
  console.log(`controller: could lead after ${sinceMs(began)} ms`);
  await dispatched.promise;
  console.log(`controller: first document dispatched after ${sinceMs(began)} ms`);
  const jobs = shared.kubernetes.resource<GenerationJob>(GENERATION_JOB);
  await eventually(async () => (await jobs.list({ fieldSelector: UNFINISHED_WORK })).items.length === 0, {
    timeoutMs: ALL_FINISHED_DEADLINE_MS,
    intervalMs: 1000,
  });
  console.log(`controller: all documents finished after ${sinceMs(began)} ms`);
  await controllers.stop(0);
}

async function measureGateway(shared: Shared): Promise<void> {
  const { key } = await mintKey(
    shared.kubernetes,
    { account: accountName(0), name: 'bench', scopes: SCOPES, mode: 'live' },
    clock.now(),
  );
  const began = performance.now();
  const gateway = await createGateway({ ...shared, metrics: new Metrics(), config: loadGatewayConfig({}) });
  await gateway.start();
  console.log(`gateway: ready after ${sinceMs(began)} ms`);
  const asked = performance.now();
  const answer = await gateway.app.inject({
    url: '/v1/usage',
    headers: { authorization: `Bearer ${key}` },
  });
  console.log(`gateway: usage answered ${answer.statusCode} after ${sinceMs(asked)} ms`);
  await gateway.close();
}

const sinceMs = (began: number) => rounded(performance.now() - began);

/** Linux only. */
function memoryMiB(): number {
  const server = descendantsOf(process.pid).find(({ command }) => /^\S*kube-apiserver /.test(command));
  const status = server && readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return rounded(Number(/VmRSS:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0) / 1024);
}
