import { isConditionTrue } from '@trifold/controller/testing/conditions.ts';
import { failed, renderInto } from '@trifold/controller/testing/scripted-renderer.ts';
import { recordKey } from '@trifold/crds';
import { EVENT, type CoreEvent } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ControllerFixture } from '@trifold/controller/testing/controller-fixture.ts';
import { eventually } from '../support/eventually.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';

const missing = !kubeApiServerPrograms() && !process.env['CI'];
if (missing) {
  console.warn('skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
}

/** A real API server with the CRDs must accept what the embedded API server accepts in the controller's tests. */
describe.skipIf(missing)('Controllers on a real API server', () => {
  let server: KubeApiServer;
  let transport: HttpTransport;
  let fixture: ControllerFixture;

  beforeAll(async () => {
    server = await startKubeApiServer();
    transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
  });
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  });
  beforeEach(() => {
    fixture = ControllerFixture.over(transport);
  });
  afterEach(async () => {
    const { items: templates } = await fixture.templates.list();
    for (const { metadata } of templates) await fixture.templates.delete('default', metadata.name);
    const { items: jobs } = await fixture.jobs.list();
    for (const { metadata } of jobs) await fixture.jobs.delete('default', metadata.name);
    await fixture.destroy();
  });

  it('complete a gateway document in one status write and delete its resource after its TTL', async () => {
    const service = await fixture.boot();
    const { metadata } = await fixture.gatewayJob({ ttlSecondsAfterFinished: 1 });
    const job = await fixture.finished(metadata.name);
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    expect(job.status).toMatchObject({ phase: 'Completed', pages: 2, attempt: 1 });
    expect(isConditionTrue(job.status?.conditions, 'Complete')).toBe(true);
    await eventually(async () => {
      fixture.clock.advance(1000);
      return (await fixture.find(metadata.name)) === undefined;
    });
    expect(await fixture.store.head(fixture.documentKey(metadata.name))).toBeDefined();
  });

  it('pin the template version of a kubectl job and show a slow job as Processing', async () => {
    await fixture.template();
    const work = Promise.withResolvers<void>();
    await fixture.boot({
      render: async (task) => {
        await work.promise;
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    await fixture.kubectlJob('by-hand');
    await eventually(async () => {
      fixture.clock.advance(500);
      return (await fixture.find('by-hand'))?.status?.phase === 'Processing';
    });
    work.resolve();
    const { status } = await fixture.finished('by-hand');
    expect(status).toMatchObject({ phase: 'Completed', version: 1 });
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Accepted', 'Dispatched', 'Complete']);
  });

  it('retry, then fail the job permanently and keep a record', async () => {
    const service = await fixture.boot({ render: async () => failed('browser_crashed', true) });
    const { metadata } = await fixture.gatewayJob({ ttlSecondsAfterFinished: 60 });
    const { status } = await eventually(async () => {
      fixture.clock.advance(1000);
      const job = await fixture.find(metadata.name);
      return job?.status?.phase === 'Failed' ? job : false;
    });
    expect(status).toMatchObject({ attempt: 2, error: { code: 'browser_crashed' } });
    expect(service.tasks).toHaveLength(2);
    await eventually(async () => {
      fixture.clock.advance(10_000);
      return (await fixture.find(metadata.name)) === undefined;
    });
    expect(await fixture.store.head(recordKey(fixture.documentKey(metadata.name)))).toBeDefined();
  });

  it('report where a template does not compile and write a warning Event', async () => {
    await fixture.boot();
    await fixture.template({ html: '<p>\n{{#if total}}' });
    const { status } = await eventually(async () => {
      const template = await fixture.templates.get('default', 'invoice');
      return template.status?.observedGeneration === 1 && template;
    });
    expect(status?.error).toMatchObject({ line: 2 });
    await eventually(async () => {
      const { items } = await fixture.kubernetes.builtin<CoreEvent>(EVENT).list({ namespace: 'default' });
      return items.find(({ reason }) => reason === 'SyntaxError') ?? false;
    });
  });
});
