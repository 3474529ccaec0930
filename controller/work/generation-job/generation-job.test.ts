import {
  dataKey,
  newId,
  PUBLISHED_ANNOTATION,
  recordKey,
  type Condition,
  type DocumentWarning,
  type GenerationJob,
} from '@trifold/crds';
import { isConditionTrue } from '../../testing/conditions.ts';
import { renderInto } from '../../testing/scripted-renderer.ts';
import { documentFile } from '@trifold/platform/records/documents/finished-document.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture } from '../../testing/controller-fixture.ts';

const MINUTE = 60_000;
let fixture: ControllerFixture;
beforeEach(async () => {
  fixture = await ControllerFixture.create();
});
afterEach(() => fixture.destroy());

describe('Document from the gateway', () => {
  it('is rendered with one status write', async () => {
    const service = await fixture.boot();
    const { metadata } = await fixture.gatewayJob();
    const job = await fixture.finished(metadata.name);
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    expect(job.status).toMatchObject({
      observedGeneration: 1,
      phase: 'Completed',
      attempt: 1,
      version: 1,
      pages: 2,
      objectKey: fixture.documentKey(metadata.name),
    });
    expect(isConditionTrue(job.status?.conditions, 'Complete')).toBe(true);
    expect((await fixture.store.read(fixture.documentKey(metadata.name)))?.toString()).toContain('R-17');
    const gets = service.transport.requests.filter(
      ({ method, path }) => method === 'GET' && path.endsWith(metadata.name),
    );
    expect(gets).toEqual([]);
  });

  it('has its data removed from the store after it finishes', async () => {
    await fixture.boot();
    const { metadata } = await fixture.gatewayJob();
    await fixture.finished(metadata.name);
    await eventually(async () =>
      expect(await fixture.store.head(dataKey(fixture.documentKey(metadata.name)))).toBeUndefined(),
    );
  });

  it('reads large data from the store, and fails when it is missing', async () => {
    await fixture.boot();
    const name = newId('gen', fixture.clock.now());
    const key = dataKey(fixture.documentKey(name));
    const body = JSON.stringify({ number: 'R-99' });
    const dataRef = { key, sha256: sha256Hex(body), size: body.length };
    await fixture.store.put(key, body);
    const revision = await revisionStored();
    await fixture.jobs.create({
      metadata: { name, namespace: 'default' },
      spec: { templateRef: { name: 'invoice' }, revision, dataRef },
    });
    expect((await fixture.finished(name)).status?.phase).toBe('Completed');

    const { metadata } = await fixture.gatewayJob({ dataRef });
    const { status } = await fixture.finished(metadata.name);
    expect(status).toMatchObject({ phase: 'Failed', error: { code: 'data_missing' } });
  });

  it('runs beside a hundred others, each with one status write', async () => {
    const service = await fixture.boot();
    const jobs = await Promise.all(Array.from({ length: 100 }, () => fixture.gatewayJob()));
    for (const { metadata } of jobs) {
      expect((await fixture.finished(metadata.name)).status?.phase).toBe('Completed');
      expect(service.statusWrites(metadata.name)).toHaveLength(1);
    }
    await eventually(async () => {
      const metrics = await service.metrics.render();
      expect(metrics).toContain('trifold_documents_total{outcome="completed",code=""} 100');
      expect(metrics).toContain('trifold_unfinished_jobs 0');
    });
  });

  it('shows that it is in progress when it takes longer than a second', async () => {
    const work = Promise.withResolvers<void>();
    const service = await fixture.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const { metadata } = await fixture.gatewayJob();
    await eventually(() => expect(service.tasks).toHaveLength(1));
    expect((await fixture.find(metadata.name))?.status).toBeUndefined();
    fixture.clock.advance(1000);
    await eventually(async () =>
      expect((await fixture.find(metadata.name))?.status).toMatchObject({ phase: 'Processing', attempt: 1 }),
    );
    work.resolve();
    await fixture.finished(metadata.name);
    expect(service.statusWrites(metadata.name).map((status) => status?.phase)).toEqual([
      'Processing',
      'Completed',
    ]);
  });

  it('fails when data applied with kubectl nests deeper than a request body may', async () => {
    await fixture.template();
    let data: unknown = 1;
    for (let level = 0; level < 500; level += 1) data = [data];
    await fixture.kubectlJob('deep', { data: { data } });
    await fixture.boot();
    const { status } = await fixture.finished('deep');
    const error = { code: 'data_invalid', message: 'the data nests deeper than 100 levels' };
    expect(status).toMatchObject({ phase: 'Failed', error });
  });
});

describe('Status that kubectl has filled with conditions', () => {
  it('accepts the final condition of the job', async () => {
    const { metadata } = await fixture.gatewayJob();
    const mine = { status: 'True', reason: 'Mine', message: '', lastTransitionTime: '2026-11-21T12:00:00Z' };
    const conditions = Array.from({ length: 16 }, (_, index) => ({ ...mine, type: `Mine${index}` }));
    const job = (await fixture.find(metadata.name)) as GenerationJob;
    await fixture.jobs.replaceStatus({ ...job, status: { conditions: conditions as Condition[] } });
    await fixture.boot();
    const { status } = await fixture.finished(metadata.name);
    expect(status?.phase).toBe('Completed');
    expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'True' });
  });
});

describe('Retention of a job', () => {
  it('deletes it ten minutes after its end and keeps its file, whose metadata describes it', async () => {
    await fixture.boot();
    const { metadata } = await fixture.gatewayJob();
    await fixture.finished(metadata.name);
    await eventually(() => expect(fixture.clock.pending).toBeGreaterThan(0));
    fixture.clock.advance(10 * MINUTE - 1);
    expect(await fixture.find(metadata.name)).toBeDefined();
    await eventually(async () => {
      fixture.clock.advance(1);
      return (await fixture.find(metadata.name)) === undefined;
    });
    const info = await fixture.store.head(fixture.documentKey(metadata.name));
    expect(info && documentFile(info)).toMatchObject({
      document: { id: metadata.name, uid: metadata.uid },
      result: { pages: 2 },
    });
  });

  it('stores the warnings of a completed job before it is deleted', async () => {
    const warnings: DocumentWarning[] = [
      { code: 'resource_blocked', message: 'not loaded', detail: 'https://images.example/logo.png' },
    ];
    await fixture.boot({
      render: async (task) => {
        const outcome = await renderInto(fixture.store, task, fixture.clock.now());
        return outcome.status === 'completed'
          ? { ...outcome, result: { ...outcome.result, warnings } }
          : outcome;
      },
    });
    const { metadata } = await fixture.gatewayJob();
    expect((await fixture.finished(metadata.name)).status?.warnings).toEqual(warnings);
    await eventually(async () => {
      fixture.clock.advance(10 * MINUTE);
      return (await fixture.find(metadata.name)) === undefined;
    });
    const body = await fixture.store.read(recordKey(fixture.documentKey(metadata.name)));
    expect(JSON.parse(body?.toString() ?? '{}')).toMatchObject({ uid: metadata.uid, result: { warnings } });
  });
});

describe('Job created with kubectl', () => {
  it('completes with the current version of the template', async () => {
    await fixture.template({ schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] } });
    const service = await fixture.boot();
    await fixture.kubectlJob('by-hand');
    const { status } = await fixture.finished('by-hand');
    expect(status).toMatchObject({ phase: 'Completed', version: 1 });
    expect(status?.revision).toMatch(/^[0-9a-f]{64}$/);
    expect((await fixture.store.read(status?.objectKey ?? ''))?.toString()).toContain('"currency":"EUR"');
    expect(service.statusWrites('by-hand')).toHaveLength(2);
  });

  it('renders the version that was current at its creation, not the cached one', async () => {
    await fixture.template();
    await fixture.boot();
    await eventually(async () =>
      expect((await fixture.templates.get('default', 'invoice')).status?.version).toBe(1),
    );
    await fixture.templates.patch(
      { namespace: 'default', name: 'invoice' },
      { spec: { html: '<p>new {{number}}</p>' } },
    );
    await fixture.kubectlJob('by-hand');
    expect((await fixture.finished('by-hand')).status?.version).toBe(2);
  });

  it('renders the published version of the template', async () => {
    const { metadata } = await fixture.template();
    await fixture.boot();
    const history = new TemplateHistory(fixture.store);
    await eventually(async () => (await history.versions('default', metadata.uid)).includes(1));
    const publish = async (version: string) =>
      fixture.templates.patch(
        { namespace: 'default', name: 'invoice' },
        { metadata: { annotations: { [PUBLISHED_ANNOTATION]: version } }, spec: { html: '<p>new</p>' } },
      );
    await publish('1');
    await fixture.kubectlJob('first');
    expect((await fixture.finished('first')).status).toMatchObject({ phase: 'Completed', version: 1 });
    await publish('2');
    await fixture.kubectlJob('second');
    expect((await fixture.finished('second')).status).toMatchObject({ phase: 'Completed', version: 2 });
    for (const version of ['3', 'x']) {
      await publish(version);
      await fixture.kubectlJob(`unknown-${version}`);
      const { status } = await fixture.finished(`unknown-${version}`);
      expect(status).toMatchObject({ phase: 'Failed', error: { code: 'version_not_found' } });
    }
  });

  it('fails with a reason when it cannot run', async () => {
    await fixture.template({ state: 'archived' }, 'old');
    await fixture.template({ html: '<p>\n{{#each lines}}' }, 'broken');
    await fixture.template({ schema: { fields: [{ name: 'total', type: 'number', required: true }] } });
    const service = await fixture.boot();
    await fixture.kubectlJob('none', { templateRef: { name: 'nowhere' } });
    await fixture.kubectlJob('archived', { templateRef: { name: 'old' } });
    await fixture.kubectlJob('invalid', { templateRef: { name: 'broken' } });
    await fixture.kubectlJob('wrong', { data: { total: 'much' } });
    const errors = await Promise.all(
      ['none', 'archived', 'invalid', 'wrong'].map(
        async (name) => (await fixture.finished(name)).status?.error,
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

  it('fails when its id was used before, and keeps the first document', async () => {
    await fixture.template();
    await fixture.boot();
    const { metadata } = await fixture.gatewayJob();
    await fixture.finished(metadata.name);
    await fixture.jobs.delete('default', metadata.name);
    await fixture.kubectlJob(metadata.name, { data: { number: 'second' } });
    const { status } = await fixture.finished(metadata.name);
    expect(status).toMatchObject({ phase: 'Failed', error: { code: 'id_reused' } });
    expect((await fixture.store.read(fixture.documentKey(metadata.name)))?.toString()).toContain('R-17');
  });
});

describe('Controllers', () => {
  it('are ready between start and stop, and process existing jobs', async () => {
    const { metadata } = await fixture.gatewayJob();
    const service = await fixture.boot();
    expect(service.controllers.ready).toBe(true);
    await fixture.finished(metadata.name);
    await service.stop();
    expect(service.controllers.ready).toBe(false);
    const next = await fixture.gatewayJob();
    const second = await fixture.boot();
    expect((await fixture.finished(next.metadata.name)).status?.phase).toBe('Completed');
    expect(service.tasks).toHaveLength(1);
    expect(second.tasks).toHaveLength(1);
  });

  it('are not ready while the API server does not respond, and can still be stopped', async () => {
    const service = fixture.prepare();
    service.transport.fault = () => new Error('connection refused');
    const starting = service.controllers.start().catch((error: unknown) => error);
    expect(service.controllers.ready).toBe(false);
    await service.stop();
    expect(await starting).toBeInstanceOf(Error);
    expect(service.controllers.ready).toBe(false);
  });
});

describe('Interruptions', () => {
  it('deleting a job while it is rendered causes no error', async () => {
    const work = Promise.withResolvers<void>();
    const service = await fixture.boot({
      render: async (task) => {
        if (service.tasks.length === 1) await work.promise;
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const { metadata } = await fixture.gatewayJob();
    await eventually(() => expect(service.tasks).toHaveLength(1));
    await fixture.jobs.delete('default', metadata.name);
    await eventually(async () =>
      expect(await fixture.store.head(dataKey(fixture.documentKey(metadata.name)))).toBeUndefined(),
    );
    work.resolve();
    const next = await fixture.gatewayJob();
    expect((await fixture.finished(next.metadata.name)).status?.phase).toBe('Completed');
    expect(service.statusWrites(metadata.name)).toEqual([]);
  });

  it('a watch that breaks during the render does not prevent the result from being written', async () => {
    const work = Promise.withResolvers<void>();
    const service = await fixture.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const { metadata } = await fixture.gatewayJob();
    await eventually(() => expect(service.tasks).toHaveLength(1));
    service.transport.fault = ({ query }) =>
      query?.['watch'] === 'true' ? new Error('no route to host') : undefined;
    service.transport.cutWatches();
    await eventually(() => expect(service.transport.openWatches).toBe(0));
    work.resolve();
    expect((await fixture.finished(metadata.name)).status?.phase).toBe('Completed');
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    expect(service.tasks).toHaveLength(1);

    service.transport.fault = undefined;
    const next = await fixture.gatewayJob();
    await eventually(async () => {
      fixture.clock.advance(1000);
      return (await fixture.find(next.metadata.name))?.status?.phase === 'Completed';
    });
  });

  it('a label set on a job while it is rendered is kept, and so is the result', async () => {
    const work = Promise.withResolvers<void>();
    const service = await fixture.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    const { metadata } = await fixture.gatewayJob();
    await eventually(() => expect(service.tasks).toHaveLength(1));
    service.transport.fault = ({ query }) =>
      query?.['watch'] === 'true' ? new Error('no route to host') : undefined;
    service.transport.cutWatches();
    await eventually(() => expect(service.transport.openWatches).toBe(0));
    await fixture.jobs.patch(
      { namespace: 'default', name: metadata.name },
      { metadata: { labels: { team: 'billing' } } },
    );
    work.resolve();
    const job = await fixture.finished(metadata.name);
    expect(job.metadata.labels).toMatchObject({ team: 'billing' });
    expect(job.status?.phase).toBe('Completed');
  });

  it('an unresponsive API server only delays the job', async () => {
    const service = await fixture.boot();
    let rejected = 0;
    service.transport.fault = ({ method }) => {
      if (method !== 'PUT' || rejected >= 3) return undefined;
      rejected += 1;
      return new Error('connection refused');
    };
    const { metadata } = await fixture.gatewayJob();
    await eventually(async () => {
      fixture.clock.advance(1000);
      return (await fixture.find(metadata.name))?.status?.phase === 'Completed';
    });
    expect(rejected).toBe(3);
    expect(service.tasks).toHaveLength(1);
  });
});

async function revisionStored(): Promise<string> {
  const { metadata } = await fixture.gatewayJob();
  return (await fixture.jobs.get('default', metadata.name)).spec.revision ?? '';
}
