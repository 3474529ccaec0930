import { setTimeout as pause } from 'node:timers/promises';
import { GENERATION_JOB } from '@trifold/crds';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import type { NodeProcess } from '../support/processes/node-process.ts';
import { textOf } from '../support/files/pdf.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

const OLD = 'the-first-key-that-seals-tasks-in-this-test';
const NEW = 'the-second-key-that-seals-tasks-in-this-test';
const DEADLINE_MS = 120_000;
/** Between two documents of the load. */
const BETWEEN_MS = 200;

describe.skipIf(missing)('Tasks of separate processes', () => {
  let cluster: ClusterProcesses;
  let template_id = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      environment: { TRIFOLD_TASK_KEYS: OLD },
    });
    template_id = (await cluster.live.createTemplate({ html: '<p>Number {{number}}</p>' })).id;
  });
  afterAll(() => cluster?.stop());
  afterEach((context) => {
    if (context.task.result?.state !== 'fail') return;
    console.error(cluster.processes.map(({ output }) => output).join('\n'));
  });

  const accept = async (number: number): Promise<string> => {
    const answer = await cluster.live.post('/v1/generate', { template_id, data: { number }, async: true });
    expect(answer.status, answer.text).toBe(202);
    return answer.json<GenerationAnswer>().id;
  };
  const fileOf = (id: string) => cluster.live.get(`/v1/generate/${id}/download`);
  const tasksOf = async (renderer: NodeProcess, outcome: string): Promise<number> => {
    const metrics = await (await fetch(`${await renderer.operationsUrl()}/metrics`)).text();
    const line = new RegExp(`^trifold_renderer_(?:rejected_)?tasks_total{\\w+="${outcome}"} (\\d+)$`, 'm');
    return Number(line.exec(metrics)?.[1] ?? 0);
  };

  it('change no file and no event when somebody puts them into the queue again, altered or not', async () => {
    const [renderer] = cluster.renderers as [NodeProcess];
    const jobs = cluster.kubernetes.resource(GENERATION_JOB);
    const connection = { url: cluster.redis.url };
    const queue = new Queue<string>('asynchronous', { connection, prefix: 'trifold' });
    try {
      renderer.signal('SIGSTOP');
      const id = await accept(1);
      const taskId = `${(await jobs.get('default', id)).metadata.uid}-1`;
      const sealed = await eventually(async () => (await queue.getJob(taskId))?.data ?? false);
      renderer.signal('SIGCONT');
      await cluster.live.finished(id);
      const before = await fileOf(id);
      const job = await jobs.get('default', id);
      const repeat = async (data: string, outcome: string) => {
        const count = await tasksOf(renderer, outcome);
        await queue.remove(taskId);
        await queue.add('render', data, { jobId: taskId, priority: 1 });
        const timeoutMs = DEADLINE_MS;
        await eventually(async () => (await tasksOf(renderer, outcome)) > count, { timeoutMs });
      };
      await repeat(sealed, 'completed');
      await repeat(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, 'unreadable');
      const after = await fileOf(id);
      expect(after.status).toBe(200);
      expect(after.bytes.equals(before.bytes)).toBe(true);
      // Without a write of its status there is no event.
      expect(await jobs.get('default', id)).toEqual(job);
    } finally {
      renderer.signal('SIGCONT');
      await queue.close();
    }
  });

  it('are all rendered once while the key is replaced under load, whichever process has it first', async () => {
    const accepted: string[] = [];
    const stop = new AbortController();
    const load = (async () => {
      while (!stop.signal.aborted) {
        accepted.push(await accept(accepted.length));
        await pause(BETWEEN_MS);
      }
    })();
    const both = { TRIFOLD_TASK_KEYS: `${NEW},${OLD}` };
    const grown = async (by: number) => {
      const enough = accepted.length + by;
      await eventually(() => accepted.length >= enough, { timeoutMs: DEADLINE_MS });
    };
    try {
      // The controllers first: the renderer does not know their key, and rejects their tasks.
      const [renderer] = cluster.renderers as [NodeProcess];
      for (const controller of cluster.controllers.slice()) {
        await cluster.addController(both);
        await controller.stop(20_000);
      }
      await cluster.leader(60_000);
      const timeoutMs = DEADLINE_MS;
      await eventually(async () => (await tasksOf(renderer, 'unreadable')) > 0, { timeoutMs });
      await grown(5);
      await cluster.addRenderer(both);
      await grown(5);
      await renderer.stop(20_000);
      // The old key goes.
      await cluster.addRenderer({ TRIFOLD_TASK_KEYS: NEW });
      await grown(5);
    } finally {
      stop.abort();
      await load;
    }
    for (const [number, id] of accepted.entries()) {
      // On a busy machine, a controller can lose its lease, and ends.
      if (!cluster.controllers.some(({ running }) => running)) await cluster.addController(both);
      const { status, error } = await cluster.live.finished(id, DEADLINE_MS);
      expect(error?.message ?? status).toBe('completed');
      expect(await textOf((await fileOf(id)).bytes)).toContain(`Number ${number}`);
    }
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    expect(items.filter(({ status }) => (status?.attempt ?? 1) > 1)).toEqual([]);
  });
});
