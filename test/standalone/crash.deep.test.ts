import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api, GenerationAnswer, TemplateAnswer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { KubeClient } from '../support/kubernetes/kube-client.ts';
import { stillRunning } from '../support/processes/process-tree.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, freshService, launch } from './fresh-service.ts';
import { expectKept, promisedDocuments, REQUESTS, type PromisedDocument } from './promised-documents.ts';

/** Moments of the kills, one per round: after a number of responses or milliseconds. */
const KILLS = [
  { answers: 1 },
  { milliseconds: 40 },
  { answers: 12 },
  { milliseconds: 130 },
  { answers: 25 },
  { milliseconds: 260 },
  { answers: 45 },
] as const;
const SCRIPT = new URL('scripted-documents.ts', import.meta.url).href;

/** Returns the options of a service with scripted documents, and a function that reads the lines of their starts. */
async function scripted() {
  const data = await freshDirectory();
  const file = join(data, 'begun');
  const environment = {
    NODE_OPTIONS: `--import ${SCRIPT}`,
    TRIFOLD_BROWSERS: '1',
    TRIFOLD_TEST_BEGUN: file,
  };
  const begun = async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  };
  return { options: { data, keys: inventKeys(), environment }, begun };
}

/** Returns a function that creates a document with a name and returns its id. */
async function acceptance(live: Api): Promise<(name: string) => Promise<string>> {
  const { id } = await live.createTemplate({ html: '<p>{{name}}</p>' });
  return async (name) => {
    const answer = await live.post('/v1/generate', { template_id: id, data: { name }, async: true });
    expect(answer.status, answer.text).toBe(202);
    return answer.json<GenerationAnswer>().id;
  };
}

async function statusOf(service: ServiceProcess, job: string) {
  const kube = await KubeClient.fromFile(service.kubeconfig);
  const { status } = await kube.get('generationjobs', job);
  kube.close();
  return status;
}

describe('kill -9 of the service', () => {
  it('loses nothing that was accepted, at any moment', async () => {
    const keys = inventKeys();
    const data = await freshDirectory();
    let service: ServiceProcess = await launch({ data, keys }).ready();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const promised: PromisedDocument[] = [];
    for (const [round, moment] of KILLS.entries()) {
      const children = service.children;
      const running = service;
      const sent = promisedDocuments(running.live, template, `round ${round}`, (count) => {
        if ('answers' in moment && count >= moment.answers) running.signal('SIGKILL');
      });
      if ('milliseconds' in moment) setTimeout(() => running.signal('SIGKILL'), moment.milliseconds);
      promised.push(...(await sent));
      await running.ended;
      await eventually(() => stillRunning(children).length === 0);
      service = await launch({ data, keys }).ready();
    }
    expect(promised.length).toBeGreaterThan(30);
    await expectKept(service.live, promised);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    // No partial files remain.
    const files = await readdir(data, { recursive: true });
    expect(files.filter((file) => /\.(tmp|partial)$/.test(file))).toEqual([]);
  });

  it('fails a document that causes it three times, and completes all other documents', async () => {
    const { options, begun } = await scripted();
    const first = await launch(options).ready();
    const accept = await acceptance(first.live);
    const killer = await accept('KILLER');
    await eventually(async () => (await begun()).length === 1);
    const names = Array.from({ length: 20 }, (_, index) => `innocent ${index}`);
    const innocent = await Promise.all(
      names.map(async (name) => ({ name, id: await accept(name), status: 202 })),
    );
    await eventually(async () => (await begun()).length > 1);
    await first.kill();
    for (let lives = 0; lives < 2; lives += 1) {
      expect(await launch(options).ended).toMatchObject({ signal: 'SIGKILL' });
    }

    const service = await launch(options).ready();
    expect(await service.live.finished(killer)).toMatchObject({
      status: 'failed',
      error: { code: 'renderer_lost', message: expect.stringContaining('make it smaller') },
    });
    await expectKept(service.live, innocent);
    expect(await statusOf(service, killer)).toMatchObject({ attempt: 3, lostAttempts: 2 });
    const lines = await begun();
    expect(lines.filter((line) => line.startsWith('KILLER'))).toEqual([
      'KILLER shared',
      'KILLER alone',
      'KILLER alone',
    ]);
    // The other of the two documents that ran at the first kill.
    expect(lines.filter((line) => line === 'ordinary alone')).toHaveLength(1);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('differs from a stop: a document that a stop releases counts as new every time', async () => {
    const { options, begun } = await scripted();
    let service = await launch(options).ready();
    const accept = await acceptance(service.live);
    const id = await accept('ENDLESS');
    for (let stops = 1; stops <= 2; stops += 1) {
      await eventually(async () => (await begun()).length === stops);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      service = await launch(stops === 2 ? { ...options, environment: {} } : options).ready();
    }
    expect(await service.live.finished(id)).toMatchObject({ status: 'completed' });
    expect(await begun()).toEqual(['ENDLESS shared', 'ENDLESS shared']);
    const status = await statusOf(service, id);
    expect(status).toMatchObject({ attempt: 1 });
    expect(status).not.toHaveProperty('lostAttempts');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('keeps every PATCH, creation and deletion that was answered', async () => {
    const keys = inventKeys();
    const service = await freshService({ keys });
    const { live } = service;
    const kept = await live.createTemplate();
    const removed = await live.createTemplate();
    expect((await live.delete(`/v1/templates/${removed.id}`)).status).toBe(200);
    const answered: TemplateAnswer[] = [];
    const patches = Array.from({ length: 30 }, async (_, index) => {
      const answer = await live
        .patch(`/v1/templates/${kept.id}`, { description: `patch ${index}` })
        .catch(() => undefined);
      if (answer?.status !== 200) return;
      answered.push(answer.json<TemplateAnswer>());
      if (answered.length === 12) service.signal('SIGKILL');
    });
    await Promise.all(patches);
    await service.kill();

    const again = await launch({ data: service.data, keys }).ready();
    const read = (await again.live.get(`/v1/templates/${kept.id}`)).json<TemplateAnswer>();
    const last = answered.reduce((left, right) => (right.version > left.version ? right : left));
    // A PATCH may be stored without its response arriving, but never the reverse.
    expect(read.version).toBeGreaterThanOrEqual(last.version);
    expect(read.version).toBeLessThanOrEqual(31);
    if (read.version === last.version) expect(read).toEqual(last);
    expect((await again.live.get(`/v1/templates/${removed.id}`)).status).toBe(404);
    const next = await again.live.patch(`/v1/templates/${kept.id}`, { description: 'after' });
    expect(next.json<TemplateAnswer>()).toMatchObject({ version: read.version + 1, description: 'after' });
    expect(Date.parse(next.json<TemplateAnswer>().updated_at)).toBeGreaterThan(Date.parse(last.updated_at));
  });
});

describe('kill -9 of browsers', () => {
  it('loses no document in the middle of work', async () => {
    const service = await freshService();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    await service.live.generate(template);
    let kills = 0;
    const promised = await promisedDocuments(service.live, template, 'browser', (count) => {
      if (count !== 5 && count !== 20 && count !== 35) return;
      // Kills the whole browser at once: all current child processes of the service.
      for (const { pid } of service.children) {
        try {
          process.kill(pid, 'SIGKILL');
          kills += 1;
        } catch {
          // The process has already ended by itself.
        }
      }
    });
    expect(kills).toBeGreaterThan(0);
    expect(promised).toHaveLength(REQUESTS);
    await expectKept(service.live, promised);
    expect((await service.live.get('/readyz')).status).toBe(200);
    const children = service.children;
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await eventually(() => stillRunning(children).length === 0);
  });
});
