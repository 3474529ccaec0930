import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Api, GenerationResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { FaultyDisk } from '../support/faults/faulty-disk.ts';
import { stillRunning } from '../support/processes/process-tree.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { launch } from './fresh-service.ts';
import { expectKept, promisedDocuments, type PromisedDocument } from './promised-documents.ts';

/** Numbers of responses before each power cut. */
const CUTS = [1, 5, 14, 30, 50];

const impossible = await FaultyDisk.create().then(
  (disk) => disk.remove(),
  (error: Error) => error.message.trim(),
);

describe.skipIf(impossible)(`Power cuts${impossible ? ` (no disk: ${impossible})` : ''}`, () => {
  const keys = inventKeys();

  /** Creates a disk that is removed after the test and after the services that the test starts on it. */
  async function freshDisk(): Promise<FaultyDisk> {
    const disk = await FaultyDisk.create();
    onTestFinished(() => disk.remove());
    return disk;
  }

  const start = (disk: FaultyDisk, environment = {}) =>
    launch({ data: join(disk.path, 'data'), keys, environment }).ready();

  /** Rejects responses that report a missing disk: they promise nothing. */
  function withoutErrors(live: Api): Pick<Api, 'post'> {
    return {
      post: async (...request) => {
        const response = await live.post(...request);
        if (response.status >= 500) throw new Error(response.text);
        return response;
      },
    };
  }

  /** Ends the service, whose disk has lost power, with all its browsers. */
  async function end(service: ServiceProcess): Promise<void> {
    const { children } = service;
    await service.kill();
    await eventually(() => expect(stillRunning(children)).toEqual([]));
  }

  it('do not lose work that the service has acknowledged', async () => {
    const disk = await freshDisk();
    let service = await start(disk);
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const promised: PromisedDocument[] = [];
    for (const [round, responses] of CUTS.entries()) {
      let cut: Promise<void> | undefined;
      const running = service;
      const sent = promisedDocuments(withoutErrors(running.live), template, `round ${round}`, (count) => {
        if (count === responses) cut = disk.cut().then(() => end(running));
      });
      promised.push(...(await sent));
      await cut;
      await disk.restore();
      service = await start(disk);
    }
    expect(promised.length).toBeGreaterThanOrEqual(CUTS.reduce((sum, responses) => sum + responses, 0));
    await expectKept(service.live, promised);
  });

  it('lose acknowledged work with TRIFOLD_DURABILITY=process', async () => {
    const durability = { TRIFOLD_DURABILITY: 'process' };
    const disk = await freshDisk();
    const service = await start(disk, durability);
    const { id: template } = await service.live.createTemplate({ html: '<p>{{name}}</p>' });
    const request = { template_id: template, data: {}, async: true };
    const response = await service.live.post('/v1/generate', request);
    const { id } = response.json<GenerationResponse>();
    expect(await service.live.finished(id)).toMatchObject({ status: 'completed' });
    await disk.cut();
    await end(service);
    await disk.restore();
    const again = await start(disk, durability);
    expect((await again.live.get(`/v1/generate/${id}`)).status).toBe(404);
  });
});
