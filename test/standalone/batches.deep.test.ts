import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { KubeClient } from '../support/kubernetes/kube-client.ts';
import { textOf } from '../support/files/pdf.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, launch } from './fresh-service.ts';

interface BatchAnswer {
  readonly id: string;
  readonly status: string;
  readonly completed: number;
  readonly failed: number;
  readonly items: readonly { index: number; status: string; file_url?: string }[];
}

const names = (tag: string, count: number) => Array.from({ length: count }, (_, index) => `${tag} ${index}`);

async function send(live: Api, template: string, items: readonly string[]): Promise<string> {
  const body = { template_id: template, format: 'pdf', items: items.map((name) => ({ data: { name } })) };
  const answer = await live.post('/v1/generate/batch', body);
  expect(answer.status, answer.text).toBe(202);
  return answer.json<BatchAnswer>().id;
}

const read = async (live: Api, id: string) =>
  (await live.get(`/v1/generate/batch/${id}`)).json<BatchAnswer>();

const finished = (live: Api, id: string) =>
  eventually(
    async () => {
      const batch = await read(live, id);
      return ['completed', 'failed'].includes(batch.status) ? batch : false;
    },
    { timeoutMs: 60_000, intervalMs: 50 },
  );

/** Checks only one in ten items, to save time. */
async function expectFiles(live: Api, id: string, items: readonly string[]): Promise<void> {
  for (const [index, name] of items.entries()) {
    if (index % 10 !== 9) continue;
    const file = await live.get(`/v1/generate/batch/${id}/items/${index}/download`);
    expect(file.status, file.text.slice(0, 300)).toBe(200);
    expect(await textOf(file.bytes)).toBe(name);
  }
}

async function used(live: Api): Promise<unknown> {
  // Starts yesterday, in case the month ends during the test.
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
  const answer = await live.get(`/v1/usage?from=${from}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ total: unknown }>().total;
}

/** Returns the inode, size and modification time of each item's file in the service's directory, by path. */
async function storedFiles(data: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const path of glob('**/bat-*/*', { cwd: data })) {
    if (!ITEM_FILE.test(path)) continue;
    const { ino, size, mtimeNs } = await stat(join(data, path), { bigint: true });
    files.set(path, `${ino} ${size} ${mtimeNs}`);
  }
  return files;
}

const ITEM_FILE = /bat-[^/]+\/\d+@?$/;

/** Returns the number of documents that this process has rendered. */
async function rendered(service: ServiceProcess): Promise<number> {
  const { text } = await service.live.get('/metrics');
  const [, count] = /^trifold_renderer_tasks_total\{outcome="completed"[^}]*\} (\d+)$/m.exec(text) ?? [];
  return Number(count ?? 0);
}

describe('kill -9 of the service during batches', () => {
  it('loses no item, counts none twice and continues rendering', async () => {
    const keys = inventKeys();
    const data = await freshDirectory();
    let service: ServiceProcess = await launch({ data, keys }).ready();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const items = names('killed', 100);
    const batches: string[] = [];
    let kept = new Map<string, string>();
    for (const done of [1, 20, 60]) {
      const id = await send(service.live, template, items);
      batches.push(id);
      const { live } = service;
      await eventually(
        async () => {
          const file = await live.get(`/v1/generate/batch/${id}/items/${done - 1}/download`);
          return file.status === 200 || (await read(live, id)).status === 'completed';
        },
        { timeoutMs: 90_000 },
      );
      await service.kill();
      kept = await storedFiles(data);
      service = await launch({ data, keys }).ready();
    }
    for (const id of batches) {
      const batch = await finished(service.live, id);
      expect(batch).toMatchObject({ status: 'completed', completed: 100, failed: 0 });
      await expectFiles(service.live, id, items);
    }
    // Files from before the last kill are unchanged, and only the missing files were rendered after it.
    const files = await storedFiles(data);
    expect(files.size).toBe(300);
    expect(kept.size).toBeGreaterThanOrEqual(60);
    for (const [path, before] of kept) expect(files.get(path), path).toBe(before);
    expect(await rendered(service)).toBe(300 - kept.size);
    await eventually(async () =>
      expect(await used(service.live)).toMatchObject({
        documents: { live: { pdf: 300 }, test: { pdf: 0 } },
        failed: 0,
        pages: 300,
        batches: 3,
      }),
    );
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});

describe('Running batch', () => {
  it('does not delay single documents and shows its progress to kubectl', async () => {
    const keys = inventKeys();
    const service = await launch({ data: await freshDirectory(), keys }).ready();
    const kube = await KubeClient.fromFile(service.kubeconfig);
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const ids = await Promise.all(
      names('batch', 2).map((tag) => send(service.live, template, names(tag, 100))),
    );
    const single = await service.live.generate(template, { name: 'single' });
    expect(single).toMatchObject({ status: 'completed' });
    const phases = await Promise.all(ids.map(async (id) => (await kube.get('batches', id)).status));
    // Two hundred documents take longer than one.
    expect(phases.some((status) => status?.['phase'] !== 'Completed')).toBe(true);
    for (const id of ids) {
      expect(await finished(service.live, id)).toMatchObject({ completed: 100, failed: 0 });
    }
    const { status } = await kube.get('batches', ids[0] ?? '');
    expect(status).toMatchObject({ phase: 'Completed', completed: 100, failed: 0 });
    kube.close();
  });
});
