import { PUBLISHED_ANNOTATION } from '@trifold/crds';
import { isConditionTrue } from '../../testing/conditions.ts';
import { renderInto } from '../../testing/scripted-renderer.ts';
import { documentFile } from '@trifold/platform/records/documents/finished-document.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { ControllerFixture } from '../../testing/controller-fixture.ts';

const INVOICE = { namespace: 'default', name: 'invoice' };

const fixture = ControllerFixture.forEachTest();

describe('A document from the gateway', () => {
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
    const { requests } = service.transport;
    const gets = requests.filter(({ method, path }) => method === 'GET' && path.endsWith(metadata.name));
    expect(gets).toEqual([]);
  });

  it('fails if data applied with kubectl is nested more deeply than a request body may be', async () => {
    await fixture.template();
    let data: unknown = 1;
    for (let level = 0; level < 500; level += 1) data = [data];
    await fixture.kubectlJob('deep', { data: { data } });
    await fixture.boot();
    const { status } = await fixture.finished('deep');
    const error = { code: 'data_invalid', message: 'the data is nested deeper than 100 levels' };
    expect(status).toMatchObject({ phase: 'Failed', error });
  });
});

describe('A job created with kubectl', () => {
  it('renders the version that was current at its creation, not the cached one', async () => {
    await fixture.template();
    await fixture.boot();
    await eventually(async () =>
      expect((await fixture.templates.get('default', 'invoice')).status?.version).toBe(1),
    );
    await fixture.templates.patch(INVOICE, { spec: { html: '<p>new {{number}}</p>' } });
    await fixture.kubectlJob('by-hand');
    expect((await fixture.finished('by-hand')).status?.version).toBe(2);
  });

  it("renders the version that it names, or else the template's published version", async () => {
    const { metadata } = await fixture.template();
    await fixture.boot();
    const history = new TemplateHistory(fixture.store);
    await eventually(async () => (await history.versions('default', metadata.uid)).includes(1));
    const publish = async (version: string) =>
      fixture.templates.patch(INVOICE, {
        metadata: { annotations: { [PUBLISHED_ANNOTATION]: version } },
        spec: { html: '<p>new</p>' },
      });
    await publish('1');
    await fixture.kubectlJob('first');
    const { status: published } = await fixture.finished('first');
    expect(published).toMatchObject({ phase: 'Completed', version: 1 });
    await fixture.kubectlJob('named', { version: 2 });
    const { status: named } = await fixture.finished('named');
    expect(named).toMatchObject({ phase: 'Completed', version: 2 });
    expect(named?.revision).not.toBe(published?.revision);
    await publish('2');
    await fixture.kubectlJob('second');
    expect((await fixture.finished('second')).status).toMatchObject({ phase: 'Completed', version: 2 });
    for (const [version, spec] of [['2', { version: 99 }], ['3'], ['x']] as const) {
      await publish(version);
      await fixture.kubectlJob(`unknown-${version}`, spec);
      const { status } = await fixture.finished(`unknown-${version}`);
      expect(status).toMatchObject({ phase: 'Failed', error: { code: 'version_not_found' } });
    }
  });

  it('renders its inline template, or fails with the position of the error', async () => {
    const service = await fixture.boot();
    const schema = { fields: [{ name: 'currency', type: 'string' as const, default: 'EUR' }] };
    await fixture.kubectlJob('inline', { template: { html: '<p></p>', schema } });
    const { status } = await fixture.finished('inline');
    expect(status).toMatchObject({ phase: 'Completed', revision: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(status).not.toHaveProperty('version');
    expect((await fixture.store.read(status?.objectKey ?? ''))?.toString()).toContain('"currency":"EUR"');
    const info = await fixture.store.head(status?.objectKey ?? '');
    expect(info && documentFile(info)?.document).not.toHaveProperty('template');

    await fixture.kubectlJob('wrong', { template: { html: '<p>\n{{#each lines}}' } });
    expect((await fixture.finished('wrong')).status?.error).toMatchObject({
      code: 'template_invalid',
      message: expect.stringMatching(/line 2, column \d+/),
    });
    expect(service.tasks).toHaveLength(1);
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
  it('a watch that breaks during rendering does not prevent the result from being written', async () => {
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
    const { name } = (await fixture.gatewayJob()).metadata;
    const phase = async () => (await fixture.find(name))?.status?.phase;
    await fixture.clock.passUntil(1000, async () => (await phase()) === 'Completed');
  });
});
