import { beforeEach, expect, it } from 'vitest';
import { batchRowOf } from '@trifold/platform/records/documents/finished-batch.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { FAILURE, ScriptedBatches } from '../../testing/scripted-batches.ts';

let gateway: GatewayFixture;
beforeEach(async () => {
  gateway = await GatewayFixture.forTest();
});

it('the batch list matches batch statuses, without items, with and without a resource', async () => {
  const batches = new ScriptedBatches(gateway);
  const template_id = await gateway.template();
  const ids: string[] = [];
  for (const run of ['1', '2', '3', '4']) {
    const items = [{ data: {}, filename: 'a.pdf' }, { data: {} }];
    const body = { template_id, format: 'pdf', items, metadata: { run } };
    const response = await gateway.call('POST', '/v1/generate/batch', { body });
    ids.push(response.json<{ id: string }>().id);
  }
  const [completed = '', failed = '', rejected = '', started = ''] = ids;
  await batches.finish(completed, new Map([[1, FAILURE]]));
  await batches.finish(failed, new Map([0, 1].map((index) => [index, FAILURE])));
  await batches.reject(rejected);
  await batches.progress(started, new Map([[0, FAILURE]]));
  const status = async (id: string) => {
    const { items: _items, ...batch } = (await gateway.call('GET', `/v1/generate/batch/${id}`)).json();
    return batch;
  };
  const expected = await Promise.all(ids.toReversed().map(status));
  const list = async (query = '', key = gateway.key) =>
    (await gateway.call('GET', `/v1/generate/batch${query}`, { key })).json();
  expect(await list()).toMatchObject({ data: expected, pagination: { total_count: 4 } });

  const finished = (await batches.all()).filter(({ metadata }) => metadata.name !== started);
  const index = new WorkIndex(gateway.store);
  await index.add('acme', 'batches', finished.map(batchRowOf), gateway.clock.now());
  for (const { metadata } of finished) await batches.remove(metadata.name);
  expect(await list()).toMatchObject({ data: expected, pagination: { total_count: 4 } });
  expect((await list('?status=failed')).data).toEqual([expected[1], expected[2]]);
  expect((await list('?metadata[run]=1&limit=1')).data).toEqual([expected[3]]);
  expect((await list('?template_id=tpl-other')).data).toEqual([]);
  expect((await list('', gateway.otherKey)).data).toEqual([]);
});
