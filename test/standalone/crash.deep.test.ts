import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { stillRunning } from '../support/processes/process-tree.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, launch } from './fresh-service.ts';
import { expectKept, promisedDocuments, type PromisedDocument } from './promised-documents.ts';

/** Kill times, one entry per round: after a number of responses or milliseconds. */
const KILLS = [
  { responses: 1 },
  { milliseconds: 40 },
  { responses: 12 },
  { milliseconds: 130 },
  { responses: 25 },
  { milliseconds: 260 },
  { responses: 45 },
] as const;
it('kill -9 at any moment loses nothing that the service has accepted', async () => {
  const keys = inventKeys();
  const data = await freshDirectory();
  let service: ServiceProcess = await launch({ data, keys }).ready();
  const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
  const promised: PromisedDocument[] = [];
  for (const [round, moment] of KILLS.entries()) {
    const children = service.children;
    const running = service;
    const sent = promisedDocuments(running.live, template, `round ${round}`, (count) => {
      if ('responses' in moment && count >= moment.responses) running.signal('SIGKILL');
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
