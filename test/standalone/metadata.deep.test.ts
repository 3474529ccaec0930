import { BATCH, GENERATION_JOB } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inventKeys } from '../support/service.ts';
import { readZip } from '../support/files/zip.ts';
import { freshDirectory, launch } from './fresh-service.ts';

const LARGEST = { a: 'x'.repeat(1016) };

it('metadata and file names are the same after the resources are deleted', async () => {
  const environment = { TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '2', TRIFOLD_USAGE_INTERVAL: '500ms' };
  const service = await launch({ data: await freshDirectory(), keys: inventKeys(), environment }).ready();
  onTestFinished(async () => void (await service.stop()));
  const { live } = service;
  // The partial runs forever if the data requests it.
  const html = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{/if}}';
  const { id: template_id } = await live.createTemplate({ html });
  const paths: string[] = [];
  for (const data of [{}, { bad: true }]) {
    const answer = await live.post('/v1/generate', {
      template_id,
      data,
      metadata: LARGEST,
      filename: 'é'.repeat(125),
    });
    paths.push(answer.json<{ status_url: string }>().status_url);
  }
  const items = [{}, { bad: true }, {}].map((data) => ({ data, metadata: LARGEST, filename: 'a' }));
  const request = { template_id, format: 'pdf', items, metadata: LARGEST };
  const batch = (await live.post('/v1/generate/batch', request)).json<{ status_url: string }>().status_url;
  paths.push(batch);
  const finished = async (path: string) =>
    eventually(async () => {
      const shown = (await live.get(path)).json<{ status: string; metadata: object }>();
      return (shown.status === 'completed' || shown.status === 'failed') && shown;
    });
  const before = await Promise.all(paths.map(finished));
  expect(before.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  for (const { metadata } of before) expect(metadata).toEqual(LARGEST);

  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: service.kubeconfig }));
  onTestFinished(() => transport.close());
  const kubernetes = new KubernetesClient(transport);
  await eventually(async () => {
    const jobs = await kubernetes.resource(GENERATION_JOB).list();
    const batches = await kubernetes.resource(BATCH).list();
    return jobs.items.length + batches.items.length === 0;
  });
  expect(await Promise.all(paths.map(finished))).toEqual(before);
  const zip = readZip((await live.get(`${batch}/download`)).bytes);
  expect(zip.map(({ name }) => name)).toEqual(['a.pdf', 'a (2).pdf']);
});
