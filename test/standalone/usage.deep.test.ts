import { isDeepStrictEqual } from 'node:util';
import { GENERATION_JOB, USAGE_REPORT } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, launch } from './fresh-service.ts';

interface Total {
  readonly documents: Readonly<Record<'live' | 'test', { readonly pdf: number }>>;
  readonly pages: number;
  readonly emails: number;
}

async function used(api: Api): Promise<Total> {
  // Starts yesterday, in case the month ends during the test.
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
  const answer = await api.get(`/v1/usage?from=${from}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ total: Total }>().total;
}

/** Resolves when every job is counted and gone. The usage must be the same at all times. */
async function untilCounted(service: ServiceProcess, total: Total): Promise<void> {
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: service.kubeconfig }));
  const kubernetes = new KubernetesClient(transport);
  const deviations: Total[] = [];
  try {
    await eventually(async () => {
      const now = await used(service.live);
      if (!isDeepStrictEqual(now, total)) deviations.push(now);
      const jobs = await kubernetes.resource(GENERATION_JOB).list();
      const reports = await kubernetes.resource(USAGE_REPORT).list();
      return jobs.items.length === 0 && reports.items.every(({ status }) => status?.pendingCount === 0);
    });
    expect(deviations).toEqual([]);
  } finally {
    transport.close();
  }
}

it('usage is the same before and after it is counted, after a kill -9 and after a stop', async () => {
  const environment = { TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '2', TRIFOLD_USAGE_INTERVAL: '500ms' };
  const options = { data: await freshDirectory(), keys: inventKeys(), environment };
  const first = await launch(options).ready();
  const { id } = await first.live.createTemplate({ html: '<p>{{name}}</p>' });
  await Promise.all(Array.from({ length: 10 }, () => first.live.generate(id, { name: 'Ada' })));
  await first.test.generate(id, { name: 'Ada' });
  const letter = { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' };
  const compile = (service: ServiceProcess) =>
    service.live.post('/v1/emails/compile', { template: letter, data: {} });
  expect((await compile(first)).status).toBe(200);
  const total = { documents: { live: { pdf: 10 }, test: { pdf: 1 } }, pages: 11, emails: 1 };
  const before = await eventually(async () => {
    const now = await used(first.live);
    expect(now).toMatchObject(total);
    return now;
  });
  await first.kill();

  const second = await launch(options).ready();
  await untilCounted(second, before);
  expect((await compile(second)).status).toBe(200);
  await second.stop();

  const third = await launch(options).ready();
  onTestFinished(async () => third.kill());
  await eventually(async () => expect(await used(third.live)).toEqual({ ...before, emails: 2 }));
});
