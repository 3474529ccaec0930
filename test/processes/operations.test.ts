import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { NodeProcess } from '../support/processes/node-process.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

interface Report {
  readonly status: string;
  readonly checks: readonly { name: string; ready: boolean; reason?: string }[];
}

/** Resolves when all dependencies of the service are available. */
const ready = (url: string) => eventually(async () => (await failing(url)).length === 0);

/** Returns the names of the failing checks. */
async function failing(url: string, path = '/readyz'): Promise<string[]> {
  const response = await fetch(url + path);
  const report = (await response.json()) as Report;
  const names = report.checks.filter(({ ready }) => !ready).map(({ name }) => name);
  expect(response.status).toBe(names.length === 0 ? 200 : 503);
  return names;
}

const SERVICES = ['api-gateway', 'controller', 'renderer'];

describe.each([
  ['api-gateway', 'TRIFOLD_S3_ENDPOINT'],
  ['controller', 'TRIFOLD_S3_ENDPOINT'],
  ['renderer', 'TRIFOLD_REDIS_URL'],
])('%s', (service, address) => {
  it('reports all configuration errors together without a stack trace and exits with 1', async () => {
    const wrong = { TRIFOLD_LOG_LEVEL: 'loud', [address]: 'nowhere' };
    const started = new NodeProcess(service, `${service}/main.ts`, wrong);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.stderr).toContain('TRIFOLD_LOG_LEVEL must be one of');
    expect(started.stderr).toContain(address);
    expect(started.stderr).not.toMatch(/\n\s+at /);
    expect(started.log).toEqual([]);
  });
});

describe.skipIf(missing)('Cluster processes', () => {
  let cluster: ClusterProcesses;
  const extra: NodeProcess[] = [];

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ environment: { TRIFOLD_SYNC_WAIT: '2m' } });
  });
  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') {
      console.error([...cluster.processes, ...extra].map(({ output }) => output).join('\n'));
    }
  });
  afterAll(() => cluster?.stop());

  it('are live and ready, including the standby, and serve metrics', async () => {
    const urls = [cluster.url];
    for (const one of [...cluster.controllers, ...cluster.renderers]) urls.push(await one.operationsUrl());
    for (const url of urls) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await ready(url);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
    }
    const leading = await Promise.all(
      cluster.controllers.map(async (controller) => {
        const metrics = await (await fetch(`${await controller.operationsUrl()}/metrics`)).text();
        return Number(/^trifold_controller_leading (\d)$/m.exec(metrics)?.[1]);
      }),
    );
    expect(leading.filter((one) => one === 1)).toHaveLength(1);
  });

  it('are not ready while Redis is unavailable and recover without a restart', async () => {
    const urls = await Promise.all(
      [...cluster.controllers, ...cluster.renderers].map((one) => one.operationsUrl()),
    );
    await cluster.redis.kill();
    for (const url of urls) {
      await eventually(async () => (await failing(url)).includes('render-queue'));
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
    await ready(cluster.url);
    await cluster.redis.start();
    for (const url of urls) await ready(url);
    const { id } = await cluster.live.createTemplate();
    await cluster.live.generate(id, { name: 'Ada' });
  });

  it('exit immediately when they are stopped during startup', async () => {
    for (const service of SERVICES) {
      const nowhere = { TRIFOLD_S3_ENDPOINT: 'http://127.0.0.1:9', TRIFOLD_REDIS_URL: 'redis://127.0.0.1:9' };
      const started = cluster.spawn(service, nowhere);
      extra.push(started);
      await started.says(service === 'api-gateway' ? 'listening' : 'serving probes and metrics');
      expect(await started.stop(20_000)).toEqual({ code: 0, signal: null });
      expect(started.stderr).toBe('');
    }
  });
});
