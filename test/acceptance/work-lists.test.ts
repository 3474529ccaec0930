import { BATCH, GENERATION_JOB } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { clientWith, newAccount, otherAccount, typescriptClient } from './service-under-test.ts';

async function all<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

it('documents and batches are listed while they have a resource and afterwards', async () => {
  const account = newAccount();
  const api = await clientWith({ account });
  const client = typescriptClient(api);
  const { id: template_id } = await api.createTemplate({ name: 'Packing slip', html: '{{missing}}' });
  const request = { template_id, data: {} };
  const first = await client.documents.generate({
    ...request,
    metadata: { order: 'A-17' },
    filename: 'Größe',
  });
  const second = await client.documents.generate(request);
  const { id } = await client.batches.create({ template_id, format: 'pdf', items: [{ data: {} }] });
  const { items: _items, ...batch } = await client.batches.wait(id);

  const check = async () => {
    // The response to a waiting request has the same fields as the status.
    expect(await all(client.documents.list({ limit: 1 }))).toEqual([second, first]);
    expect(await all(client.batches.list())).toEqual([batch]);
    const warnings = [{ code: 'binding_missing', name: 'missing' }];
    expect(first).toMatchObject({ filename: 'Größe.pdf', warnings });
    const { data, pagination } = await client.documents.page({ metadata: { order: 'A-17' } });
    expect(data).toEqual([first]);
    expect(pagination).toEqual({ has_more: false, next_cursor: null, total_count: 1 });
    expect(await all(client.documents.list({ q: 'GRÖSSE'.replace('SS', 'ß') }))).toEqual([first]);
    expect(await all(client.documents.list({ q: 'packing', status: 'completed' }))).toHaveLength(2);
    expect(await all(client.batches.list({ status: 'failed' }))).toEqual([]);
    expect(await all(client.batches.list({ template_id }))).toEqual([batch]);
    const others = (await otherAccount.get(`/v1/generate?template_id=${template_id}`)).json();
    expect(others).toMatchObject({ data: [], pagination: { total_count: 0 } });
  };
  // Another gateway may show a status a few milliseconds later.
  await eventually(check);

  const data = { due: 'soon' };
  const failed = await client.documents.generate({ template: { html: '{{formatDate due}}' }, data });

  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: inject('service').kubeconfig }));
  const kubernetes = new KubernetesClient(transport);
  const resources = [kubernetes.resource(GENERATION_JOB), kubernetes.resource(BATCH)];
  for (const resource of resources) {
    for (const { metadata } of (await resource.list({ namespace: account })).items) {
      const spec = { ttlSecondsAfterFinished: 0 };
      await resource.patch({ namespace: account, name: metadata.name }, { spec });
    }
  }
  await eventually(
    async () => {
      const left = await Promise.all(resources.map(async (each) => each.list({ namespace: account })));
      return left.every(({ items }) => items.length === 0);
    },
    { timeoutMs: 60_000 },
  );
  transport.close();
  expect(await client.documents.get(failed.id)).toMatchObject({
    status: 'failed',
    error: { part: 'html', line: 1, column: 1 },
  });
  expect(await client.documents.data(failed.id)).toEqual(data);
  await client.documents.delete(failed.id);
  await check();
  expect(await client.documents.get(first.id)).toMatchObject(first);
  await client.documents.delete(first.id);
  expect(await all(client.documents.list())).toEqual([second]);
}, 120_000);
