import { BATCH } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, type Answer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';
import { readZip } from '../support/files/zip.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

interface BatchAnswer {
  readonly id: string;
  readonly status: string;
  readonly completed: number;
}

describe.skipIf(missing)('Batches at two gateways with real stores', () => {
  let cluster: ClusterProcesses;
  let there: Api;
  let template_id = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ controllers: 1 });
    const other = await cluster.addGateway();
    there = new Api(String((await other.says('listening'))['address']), cluster.live.key);
    template_id = (await cluster.live.createTemplate({ html: '<p>Invoice for {{name}}</p>' })).id;
  });
  afterAll(() => cluster?.stop());

  const send = (api: Api, key: string, count = 3): Promise<Answer> => {
    const items = Array.from({ length: count }, (_, index) => ({ data: { name: `${key} ${index}` } }));
    const body = { template_id, format: 'pdf', items };
    return api.post('/v1/generate/batch', body, { 'idempotency-key': key });
  };
  const batches = async () => {
    const { items } = await cluster.kubernetes.resource(BATCH).list({ namespace: 'default' });
    return items;
  };
  const finished = (api: Api, id: string): Promise<BatchAnswer> =>
    eventually(
      async () => {
        const batch = (await api.get(`/v1/generate/batch/${id}`)).json<BatchAnswer>();
        return batch.status === 'completed' || batch.status === 'failed' ? batch : false;
      },
      { timeoutMs: 90_000, intervalMs: 100 },
    );

  it('can be sent to one gateway and read completely from the other', async () => {
    const taken = await send(cluster.live, 'whole', 25);
    expect(taken.status, taken.text).toBe(202);
    const { id } = taken.json<BatchAnswer>();
    expect(await finished(there, id)).toMatchObject({ status: 'completed', completed: 25 });
    const zip = await there.get(`/v1/generate/batch/${id}/download`);
    expect(zip.status, zip.text.slice(0, 300)).toBe(200);
    const files = readZip(zip.bytes);
    expect(files).toHaveLength(25);
    for (const index of [0, 24]) {
      const text = `Invoice for whole ${index}`;
      expect(await textOf(files[index]!.bytes)).toBe(text);
      const single = await there.get(`/v1/generate/batch/${id}/items/${index}/download`);
      expect(await textOf(single.bytes)).toBe(text);
    }
  });

  it('are created once each when both gateways get the same request', async () => {
    const before = (await batches()).length;
    const keys = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(
      keys.flatMap((key) =>
        [cluster.live, there, cluster.live, there].map(async (api) => ({
          key,
          answer: await send(api, key),
        })),
      ),
    );
    for (const key of keys) {
      const own = answers.filter((one) => one.key === key).map(({ answer }) => answer);
      expect(new Set(own.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(own.map((answer) => answer.json<BatchAnswer>().id)).size, key).toBe(1);
    }
    expect((await batches()).length - before).toBe(keys.length);
  });

  it('are neither lost nor duplicated when a gateway is killed and the requests are sent to the other', async () => {
    const before = (await batches()).length;
    const keys = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    const sendings = Promise.allSettled(keys.map((key) => send(cluster.live, key)));
    // Midway: some batches exist, and the data of others is being stored next to the location of their files.
    await eventually(async () => (await batches()).length > before + 3, { intervalMs: 1 });
    await cluster.gateways[0]?.kill();
    await sendings;
    const ids = new Set<string>();
    for (const key of keys) {
      const answer = await send(there, key);
      expect(answer.status, answer.text).toBe(202);
      ids.add(answer.json<BatchAnswer>().id);
    }
    expect(ids.size).toBe(keys.length);
    expect((await batches()).length - before).toBe(keys.length);
    for (const id of ids) {
      expect(await finished(there, id)).toMatchObject({ status: 'completed', completed: 3 });
    }
  });
});
