import {
  dataKey,
  isConditionTrue,
  newId,
  recordKey,
  type Condition,
  type GenerationJob,
} from '@trifold/crds';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import type { FailureRecord } from '@trifold/platform/records/documents/document-facts.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/conditions.ts';
import { settled, World } from '../../testing/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let world: World;
beforeEach(async () => {
  world = await World.create();
});
afterEach(() => world.destroy());

describe('a document that the gateway accepted', () => {
  it('is rendered, and costs one status write', async () => {
    const service = await world.boot();
    const { metadata } = await world.gatewayJob();
    const job = await world.finished(metadata.name);
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    expect(job.status).toMatchObject({
      observedGeneration: 1,
      phase: 'Completed',
      attempt: 1,
      version: 1,
      pages: 2,
      objectKey: world.keyOf(metadata.name),
    });
    expect(isConditionTrue(job.status?.conditions, 'Complete')).toBe(true);
    expect((await world.store.read(world.keyOf(metadata.name)))?.toString()).toContain('R-17');
    const gets = service.transport.requests.filter(
      ({ method, path }) => method === 'GET' && path.endsWith(metadata.name),
    );
    expect(gets).toEqual([]);
  });

  it('has its data removed from the store once it is finished', async () => {
    await world.boot();
    const { metadata } = await world.gatewayJob();
    await world.finished(metadata.name);
    await settled(async () =>
      expect(await world.store.head(dataKey(world.keyOf(metadata.name)))).toBeUndefined(),
    );
  });

  it('takes its data from the store when it is large, and fails when it is not there', async () => {
    await world.boot();
    const name = newId('gen', world.clock.now());
    const key = dataKey(world.keyOf(name));
    const body = JSON.stringify({ number: 'R-99' });
    const dataRef = { key, sha256: sha256Hex(body), size: body.length };
    await world.store.put(key, body);
    const revision = await revisionStored();
    await world.jobs.create({
      metadata: { name, namespace: 'default' },
      spec: { templateRef: { name: 'invoice' }, revision, dataRef },
    });
    expect((await world.finished(name)).status?.phase).toBe('Completed');

    const { metadata } = await world.gatewayJob({ dataRef });
    const { status } = await world.finished(metadata.name);
    expect(status).toMatchObject({ phase: 'Failed', error: { code: 'data_missing' } });
  });

  it('runs beside a hundred others, each with one status write', async () => {
    const service = await world.boot();
    const jobs = await Promise.all(Array.from({ length: 100 }, () => world.gatewayJob()));
    for (const { metadata } of jobs) {
      expect((await world.finished(metadata.name)).status?.phase).toBe('Completed');
      expect(service.statusWrites(metadata.name)).toHaveLength(1);
    }
    await settled(async () => {
      const metrics = await service.metrics.render();
      expect(metrics).toContain('trifold_documents_total{outcome="completed",code=""} 100');
      expect(metrics).toContain('trifold_unfinished_jobs 0');
    });
  });

  it('shows that it is being worked on when it takes longer than a second', async () => {
    const work = Promise.withResolvers<void>();
    const service = await world.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(world.store, task, world.clock.now());
      },
    });
    const { metadata } = await world.gatewayJob();
    await settled(() => expect(service.tasks).toHaveLength(1));
    expect((await world.find(metadata.name))?.status).toBeUndefined();
    world.clock.advance(1000);
    await settled(async () =>
      expect((await world.find(metadata.name))?.status).toMatchObject({ phase: 'Processing', attempt: 1 }),
    );
    work.resolve();
    await world.finished(metadata.name);
    expect(service.statusWrites(metadata.name).map((status) => status?.phase)).toEqual([
      'Processing',
      'Completed',
    ]);
  });

  it('fails with SpecChanged when its data is edited before its dispatch', async () => {
    const { metadata } = await world.gatewayJob();
    await world.jobs.patch(
      { namespace: 'default', name: metadata.name },
      { spec: { data: { number: 'forged' } } },
    );
    const service = await world.boot();
    const { status } = await world.finished(metadata.name);
    expect(status?.conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      status: 'True',
      reason: 'SpecChanged',
    });
    expect(service.tasks).toEqual([]);
  });

  it('fails when data that kubectl applied nests deeper than a body may', async () => {
    await world.template();
    let data: unknown = 1;
    for (let level = 0; level < 500; level += 1) data = [data];
    await world.kubectlJob('deep', { data: { data } });
    await world.boot();
    const { status } = await world.finished('deep');
    const error = { code: 'data_invalid', message: 'the data nests deeper than 100 levels' };
    expect(status).toMatchObject({ phase: 'Failed', error });
  });

  it('gets a second attempt after a failure that may pass, and no third', async () => {
    let next: RenderOutcome = failed('browser_died', true);
    const service = await world.boot({
      render: async () => {
        const outcome = next;
        next = failed('out_of_memory', true);
        return outcome;
      },
    });
    const { metadata } = await world.gatewayJob();
    await settled(() => expect(service.tasks).toHaveLength(1));
    const { status } = await eventually('the job fails', async () => {
      world.clock.advance(1000);
      const job = await world.find(metadata.name);
      return job?.status?.phase === 'Failed' ? job : undefined;
    });
    expect(status).toMatchObject({ attempt: 2, error: { code: 'out_of_memory' } });
    expect(status?.conditions?.at(-1)?.reason).toBe('OutOfMemory');
    expect(service.tasks.map(({ id }) => id)).toEqual([`${metadata.uid}-1`, `${metadata.uid}-2`]);
  });
});

describe('a status that kubectl has filled with conditions', () => {
  it('takes the end of the job all the same', async () => {
    const { metadata } = await world.gatewayJob();
    const mine = { status: 'True', reason: 'Mine', message: '', lastTransitionTime: '2026-11-21T12:00:00Z' };
    const conditions = Array.from({ length: 16 }, (_, index) => ({ ...mine, type: `Mine${index}` }));
    const job = (await world.find(metadata.name)) as GenerationJob;
    await world.jobs.replaceStatus({ ...job, status: { conditions: conditions as Condition[] } });
    await world.boot();
    const { status } = await world.finished(metadata.name);
    expect(status?.phase).toBe('Completed');
    expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'True' });
  });
});

describe('a finished job', () => {
  it('goes ten minutes after its end; its file stays and is told by its own metadata', async () => {
    await world.boot();
    const { metadata } = await world.gatewayJob();
    await world.finished(metadata.name);
    await settled(() => expect(world.clock.pending).toBeGreaterThan(0));
    world.clock.advance(10 * MINUTE - 1);
    expect(await world.find(metadata.name)).toBeDefined();
    await eventually('the job is deleted', async () => {
      world.clock.advance(1);
      return (await world.find(metadata.name)) === undefined;
    });
    expect((await world.store.head(world.keyOf(metadata.name)))?.metadata).toMatchObject({
      job: metadata.name,
      uid: metadata.uid,
      'result-pages': '2',
    });
  });

  it('that failed leaves a record before it goes', async () => {
    await world.boot({ render: async () => failed('print_failed', false) });
    const { metadata } = await world.gatewayJob();
    await world.finished(metadata.name);
    await eventually('the job is deleted', async () => {
      world.clock.advance(10 * MINUTE);
      return (await world.find(metadata.name)) === undefined;
    });
    const body = await world.store.read(recordKey(world.keyOf(metadata.name)));
    expect(JSON.parse(body?.toString() ?? '{}') as FailureRecord).toMatchObject({
      job: metadata.name,
      keyId: 'key-1',
      error: { code: 'print_failed' },
    });
  });

  it('with a name that is no id of ours stays until its file expires, a day later', async () => {
    await world.template();
    await world.boot();
    await world.kubectlJob('by-hand');
    const job = await world.finished('by-hand');
    const key = job.status?.objectKey ?? '';
    world.clock.advance(23 * HOUR);
    await settled(async () => expect(await world.find('by-hand')).toBeDefined());
    expect(await world.store.head(key)).toBeDefined();
    await eventually('the job is deleted', async () => {
      world.clock.advance(30 * MINUTE);
      return (await world.find('by-hand')) === undefined;
    });
    expect(await world.store.head(key)).toBeUndefined();
  });

  it('has its file, its record and everything of its bucket deleted a day after the bucket', async () => {
    await world.boot();
    const { metadata } = await world.gatewayJob();
    await world.finished(metadata.name);
    world.clock.advance(23 * HOUR);
    expect(await world.store.head(world.keyOf(metadata.name))).toBeDefined();
    await eventually('the file is deleted', async () => {
      world.clock.advance(10 * MINUTE);
      return (await world.store.head(world.keyOf(metadata.name))) === undefined;
    });
  });
});

describe('a job made by kubectl', () => {
  it('runs from apply to Complete with the version that the template has', async () => {
    await world.template({ schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] } });
    const service = await world.boot();
    await world.kubectlJob('by-hand');
    const { status } = await world.finished('by-hand');
    expect(status).toMatchObject({ phase: 'Completed', version: 1 });
    expect(status?.revision).toMatch(/^[0-9a-f]{64}$/);
    expect((await world.store.read(status?.objectKey ?? ''))?.toString()).toContain('"currency":"EUR"');
    expect(service.statusWrites('by-hand')).toHaveLength(2);
  });

  it('renders the version that was current when it was made, not what its cache shows', async () => {
    await world.template();
    await world.boot();
    await settled(async () =>
      expect((await world.templates.get('default', 'invoice')).status?.version).toBe(1),
    );
    await world.templates.patch(
      { namespace: 'default', name: 'invoice' },
      { spec: { html: '<p>new {{number}}</p>' } },
    );
    await world.kubectlJob('by-hand');
    expect((await world.finished('by-hand')).status?.version).toBe(2);
  });

  it('fails where it cannot be done, and says why', async () => {
    await world.template({ state: 'archived' }, 'old');
    await world.template({ html: '<p>\n{{#each lines}}' }, 'broken');
    await world.template({ schema: { fields: [{ name: 'total', type: 'number', required: true }] } });
    const service = await world.boot();
    await world.kubectlJob('none', { templateRef: { name: 'nowhere' } });
    await world.kubectlJob('archived', { templateRef: { name: 'old' } });
    await world.kubectlJob('invalid', { templateRef: { name: 'broken' } });
    await world.kubectlJob('wrong', { data: { total: 'much' } });
    const errors = await Promise.all(
      ['none', 'archived', 'invalid', 'wrong'].map(
        async (name) => (await world.finished(name)).status?.error,
      ),
    );
    expect(errors.map((error) => error?.code)).toEqual([
      'template_not_found',
      'template_archived',
      'template_invalid',
      'data_invalid',
    ]);
    expect(errors[2]?.message).toMatch(/line 2, column \d+/);
    expect(errors[3]?.message).toContain('/data/total must be a number');
    expect(service.tasks).toEqual([]);
  });

  it('under an id that was used before fails, and the first document stays', async () => {
    await world.template();
    await world.boot();
    const { metadata } = await world.gatewayJob();
    await world.finished(metadata.name);
    await world.jobs.delete('default', metadata.name);
    await world.kubectlJob(metadata.name, { data: { number: 'second' } });
    const { status } = await world.finished(metadata.name);
    expect(status).toMatchObject({ phase: 'Failed', error: { code: 'id_reused' } });
    expect((await world.store.read(world.keyOf(metadata.name)))?.toString()).toContain('R-17');
  });
});

describe('the controllers', () => {
  it('are ready between start and stop, and work on what they find', async () => {
    const { metadata } = await world.gatewayJob();
    const service = await world.boot();
    expect(service.controllers.ready).toBe(true);
    await world.finished(metadata.name);
    await service.stop();
    expect(service.controllers.ready).toBe(false);
    const next = await world.gatewayJob();
    const second = await world.boot();
    expect((await world.finished(next.metadata.name)).status?.phase).toBe('Completed');
    expect(service.tasks).toHaveLength(1);
    expect(second.tasks).toHaveLength(1);
  });

  it('do not become ready while the API server does not answer, and stop all the same', async () => {
    const service = world.prepare();
    service.transport.fault = () => new Error('connection refused');
    const starting = service.controllers.start().catch((error: unknown) => error);
    expect(service.controllers.ready).toBe(false);
    await service.stop();
    expect(await starting).toBeInstanceOf(Error);
    expect(service.controllers.ready).toBe(false);
  });
});

describe('trouble on the way', () => {
  it('a job deleted while it is rendered harms nothing', async () => {
    const work = Promise.withResolvers<void>();
    const service = await world.boot({
      render: async (task) => {
        if (service.tasks.length === 1) await work.promise;
        return renderInto(world.store, task, world.clock.now());
      },
    });
    const { metadata } = await world.gatewayJob();
    await settled(() => expect(service.tasks).toHaveLength(1));
    await world.jobs.delete('default', metadata.name);
    await settled(async () =>
      expect(await world.store.head(dataKey(world.keyOf(metadata.name)))).toBeUndefined(),
    );
    work.resolve();
    const next = await world.gatewayJob();
    expect((await world.finished(next.metadata.name)).status?.phase).toBe('Completed');
    expect(service.statusWrites(metadata.name)).toEqual([]);
  });

  it('a watch cut during the render does not keep the result from being written', async () => {
    const work = Promise.withResolvers<void>();
    const service = await world.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(world.store, task, world.clock.now());
      },
    });
    const { metadata } = await world.gatewayJob();
    await settled(() => expect(service.tasks).toHaveLength(1));
    service.transport.fault = ({ query }) =>
      query?.['watch'] === 'true' ? new Error('no route to host') : undefined;
    service.transport.cutWatches();
    await settled(() => expect(service.transport.openWatches).toBe(0));
    work.resolve();
    expect((await world.finished(metadata.name)).status?.phase).toBe('Completed');
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    expect(service.tasks).toHaveLength(1);

    service.transport.fault = undefined;
    const next = await world.gatewayJob();
    await eventually('the watch is open again and the next job done', async () => {
      world.clock.advance(1000);
      return (await world.find(next.metadata.name))?.status?.phase === 'Completed';
    });
  });

  it('a label put on a job while it is rendered is kept, and so is the result', async () => {
    const work = Promise.withResolvers<void>();
    const service = await world.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(world.store, task, world.clock.now());
      },
    });
    const { metadata } = await world.gatewayJob();
    await settled(() => expect(service.tasks).toHaveLength(1));
    service.transport.fault = ({ query }) =>
      query?.['watch'] === 'true' ? new Error('no route to host') : undefined;
    service.transport.cutWatches();
    await settled(() => expect(service.transport.openWatches).toBe(0));
    await world.jobs.patch(
      { namespace: 'default', name: metadata.name },
      { metadata: { labels: { team: 'billing' } } },
    );
    work.resolve();
    const job = await world.finished(metadata.name);
    expect(job.metadata.labels).toEqual({ team: 'billing' });
    expect(job.status?.phase).toBe('Completed');
  });

  it('an API server that does not answer for a while only makes the job late', async () => {
    const service = await world.boot();
    let refused = 0;
    service.transport.fault = ({ method }) => {
      if (method !== 'PUT' || refused >= 3) return undefined;
      refused += 1;
      return new Error('connection refused');
    };
    const { metadata } = await world.gatewayJob();
    await eventually('the job is complete', async () => {
      world.clock.advance(1000);
      return (await world.find(metadata.name))?.status?.phase === 'Completed';
    });
    expect(refused).toBe(3);
    expect(service.tasks).toHaveLength(1);
  });
});

async function revisionStored(): Promise<string> {
  const { metadata } = await world.gatewayJob();
  return (await world.jobs.get('default', metadata.name)).spec.revision ?? '';
}
