import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api, GenerationAnswer, TemplateAnswer } from '../support/api.ts';
import { eventually } from '../support/conditions.ts';
import { textOf } from '../support/pdf.ts';
import { stillRunning } from '../support/process-tree.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, freshService, launch } from './fresh-service.ts';

/** When the service is killed, round by round: after so many answers, or so many milliseconds. */
const KILLS = [
  { answers: 1 },
  { milliseconds: 40 },
  { answers: 12 },
  { milliseconds: 130 },
  { answers: 25 },
  { milliseconds: 260 },
  { answers: 45 },
] as const;
const REQUESTS = 60;

interface Promised {
  readonly id: string;
  readonly name: string;
}

/**
 * Sends requests of both kinds until one finds the service gone. Answers every document the service has promised:
 * what the client got a 202 or a 200 for.
 */
async function load(
  live: Api,
  template: string,
  tag: string,
  onAnswer: (count: number) => void,
): Promise<Promised[]> {
  const promised: Promised[] = [];
  await Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) => {
      const name = `${tag} ${index}`;
      const body = { template_id: template, data: { name }, async: index % 2 === 0 };
      const answer = await live.post('/v1/generate', body).catch(() => undefined);
      if (!answer) return;
      expect([200, 202], answer.text).toContain(answer.status);
      promised.push({ id: answer.json<GenerationAnswer>().id, name });
      onAnswer(promised.length);
    }),
  );
  return promised;
}

async function expectKept(live: Api, promised: readonly Promised[]): Promise<void> {
  for (const { id, name } of promised) {
    expect(await live.finished(id)).toMatchObject({ id, status: 'completed' });
    const file = await live.get(`/v1/generate/${id}/download`);
    expect(file.status, file.text.slice(0, 300)).toBe(200);
    expect(await textOf(file.bytes)).toBe(name);
  }
}

describe('kill -9 of the service', () => {
  it('at any moment loses nothing that was accepted', async () => {
    const keys = inventKeys();
    const data = await freshDirectory();
    let service: ServiceProcess = await launch({ data, keys }).ready();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const promised: Promised[] = [];
    for (const [round, moment] of KILLS.entries()) {
      const children = service.children;
      const running = service;
      const sent = load(running.live, template, `round ${round}`, (count) => {
        if ('answers' in moment && count >= moment.answers) running.signal('SIGKILL');
      });
      if ('milliseconds' in moment) setTimeout(() => running.signal('SIGKILL'), moment.milliseconds);
      promised.push(...(await sent));
      await running.ended;
      await eventually('its browsers follow it', () => stillRunning(children).length === 0);
      service = await launch({ data, keys }).ready();
    }
    expect(promised.length).toBeGreaterThan(30);
    await expectKept(service.live, promised);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    // Nothing half-written is left lying about for good.
    const files = await readdir(data, { recursive: true });
    expect(files.filter((file) => /\.(tmp|partial)$/.test(file))).toEqual([]);
  });

  it('five times with the same document in hand gives that one up, and holds up no other', async () => {
    const keys = inventKeys();
    const data = await freshDirectory();
    const environment = { TRIFOLD_BROWSERS: '1', TRIFOLD_RENDER_RETRY_DELAY: '20ms' };
    let service: ServiceProcess = await launch({ data, keys, environment }).ready();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{text}}</p>' });
    // The browser takes minutes for one word of this length.
    const body = { template_id: template, data: { text: 'a'.repeat(600_000) }, async: true };
    const { id } = (await service.live.post('/v1/generate', body)).json<GenerationAnswer>();
    for (let deaths = 0; deaths < 5; deaths += 1) {
      if (deaths > 0) service = await launch({ data, keys, environment }).ready();
      await eventually(`attempt ${deaths + 1} has begun`, async () => {
        return (await readFile(join(data, 'tasks-in-hand'), 'utf8')).includes(`-${deaths + 1} `);
      });
      await service.kill();
    }
    service = await launch({ data, keys, environment }).ready();
    expect(await service.live.finished(id)).toMatchObject({
      status: 'failed',
      error: { code: 'renderer_lost' },
    });
    const next = await service.live.generate(template, { text: 'short' });
    expect(next).toMatchObject({ status: 'completed' });
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
    // One PATCH more may have been kept without its answer getting through, never one less.
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
  it('in the middle of work costs no document', async () => {
    const service = await freshService();
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    await service.live.generate(template);
    let kills = 0;
    const promised = await load(service.live, template, 'browser', (count) => {
      if (count !== 5 && count !== 20 && count !== 35) return;
      // The whole browser at once: whatever runs below the service now.
      for (const { pid } of service.children) {
        try {
          process.kill(pid, 'SIGKILL');
          kills += 1;
        } catch {
          // It has ended by itself meanwhile.
        }
      }
    });
    expect(kills).toBeGreaterThan(0);
    expect(promised).toHaveLength(REQUESTS);
    await expectKept(service.live, promised);
    expect((await service.live.get('/readyz')).status).toBe(200);
    const children = service.children;
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await eventually('no browser is left', () => stillRunning(children).length === 0);
  });
});
