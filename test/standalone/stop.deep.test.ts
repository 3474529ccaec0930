import { GENERATION_JOB } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { GenerationResponse } from '../support/api.ts';
import { stillRunning } from '../support/processes/process-tree.ts';
import { readPdf, textOf } from '../support/files/pdf.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshService, launch } from './fresh-service.ts';

/** Sends the signal and expects the service to exit by itself with code 0, which it does only within its time limit. */
async function expectCleanStop(service: ServiceProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const children = service.children;
  expect(children.length).toBeGreaterThan(0);
  service.signal(signal);
  expect(await service.ended, service.output).toEqual({ code: 0, signal: null });
  await eventually(() => stillRunning(children).length === 0);
}

describe('A stop signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends an idle service and its browsers', async (signal) => {
    await expectCleanStop(await freshService(), signal);
  });

  it('lets synchronous requests in progress finish with their documents', async () => {
    const keys = inventKeys();
    const service = await freshService({ keys });
    const { id } = await service.live.createTemplate({
      html: '<p>{{name}}</p>{{#each rows}}<p>row {{this}}</p>{{/each}}',
    });
    const rows = Array.from({ length: 500 }, (_, index) => index);
    await service.live.generate(id, { name: 'warm', rows: [] });
    const { live } = service;
    const sent = Array.from({ length: 8 }, (_, index) =>
      live.post('/v1/generate', { template_id: id, data: { name: `waiting ${index}`, rows } }),
    );
    const jobs = service.kubernetes.resource(GENERATION_JOB);
    await eventually(async () => (await jobs.list()).items.length === sent.length + 1, { intervalMs: 5 });
    await expectCleanStop(service);
    const responses = await Promise.all(sent);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const generations = responses.map((response) => response.json<GenerationResponse>());
    expect(generations.map(({ status }) => status)).toEqual(generations.map(() => 'completed'));

    const again = await launch({ data: service.data, keys }).ready();
    for (const [index, { file_url }] of generations.entries()) {
      const pages = await readPdf((await again.live.get(file_url as string)).bytes);
      expect(pages[0]!.text).toContain(`waiting ${index}`);
    }
  });

  it('keeps accepted, unfinished documents until the next start', async () => {
    const keys = inventKeys();
    const service = await freshService({ keys });
    const { id } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const accepted = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const data = { name: `kept ${index}` };
        const response = await service.live.post('/v1/generate', { template_id: id, data, async: true });
        expect(response.status, response.text).toBe(202);
        return response.json<GenerationResponse>().id;
      }),
    );
    // These wait behind the others; each response has the document or its future location.
    const { live } = service;
    const waiting = Array.from({ length: 5 }, (_, index) =>
      live.post('/v1/generate', { template_id: id, data: { name: `kept ${150 + index}` } }),
    );
    // These responses prove that the requests above have arrived, because they were sent earlier.
    await live.get('/healthz');
    await live.get('/v1/templates');
    await expectCleanStop(service);
    for (const response of await Promise.all(waiting)) {
      expect([200, 202], response.text).toContain(response.status);
      accepted.push(response.json<GenerationResponse>().id);
    }
    const again = await launch({ data: service.data, keys }).ready();
    for (const [index, job] of accepted.entries()) {
      expect((await again.live.finished(job)).status).toBe('completed');
      expect(await textOf((await again.live.get(`/v1/generate/${job}/download`)).bytes)).toBe(
        `kept ${index}`,
      );
    }
  });

  it('does not wait for a document that takes longer than the stop timeout; the next start renders it', async () => {
    const keys = inventKeys();
    // The next start renders it from scratch, however long that takes.
    const environment = { TRIFOLD_RENDER_DEADLINE: '5m' };
    const service = await freshService({ keys, environment });
    const { live } = service;
    const { id } = await live.createTemplate({ html: '{{#each rows}}<p>{{this}}</p>{{/each}}' });
    const rows = Array.from({ length: 60_000 }, (_, index) => index);
    const sent = live.post('/v1/generate', { template_id: id, data: { rows } });
    const jobs = service.kubernetes.resource(GENERATION_JOB);
    await eventually(async () => {
      const { items } = await jobs.list();
      return items.some(({ status }) => status?.phase === 'Processing');
    });
    await expectCleanStop(service);
    const response = await sent;
    // On a fast machine, the response has the document; on others, its future location.
    expect([200, 202], response.text).toContain(response.status);
    const again = await launch({ data: service.data, keys, environment }).ready();
    const finished = await again.live.finished(response.json<GenerationResponse>().id, 200_000);
    expect(finished.status, JSON.stringify(finished)).toBe('completed');
  }, 400_000);

  it('also ends a service that is still starting', async () => {
    const service = await freshService();
    await service.stop();
    const starting = launch({ data: service.data });
    await eventually(() => starting.children.length > 0 || !starting.running, { intervalMs: 5 });
    const children = starting.children;
    starting.signal('SIGTERM');
    const { signal } = await starting.ended;
    expect(signal).not.toBe('SIGKILL');
    await eventually(() => stillRunning(children).length === 0, { timeoutMs: 10_000 });
  });
});
