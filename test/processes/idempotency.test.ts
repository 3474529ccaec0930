import { GENERATION_JOB } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, type GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('Requests with an Idempotency-Key at two gateways with real stores', () => {
  let cluster: ClusterProcesses;
  let there: Api;
  let template = '';

  beforeAll(async () => {
    // Many requests wait at once for documents of one browser.
    cluster = await ClusterProcesses.start({ controllers: 1, environment: { TRIFOLD_SYNC_WAIT: '2m' } });
    const other = await cluster.addGateway();
    there = new Api(String((await other.says('listening'))['address']), cluster.live.key);
    template = (await cluster.live.createTemplate({ html: '<p>Invoice for {{name}}</p>' })).id;
  });
  afterAll(() => cluster?.stop());

  const send = (api: Api, key: string) => {
    const body = { template_id: template, data: { name: key } };
    return api.post('/v1/generate', body, { 'idempotency-key': key });
  };
  const jobs = async () => {
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    return items;
  };

  it('create one document each when both gateways get them at once', async () => {
    const before = (await jobs()).length;
    const keys = ['one', 'two', 'three', 'four'];
    const sendings = keys.flatMap((key) =>
      [cluster.live, there, cluster.live, there].map((api) => ({ key, api })),
    );
    const answers = await Promise.all(
      sendings.map(async ({ key, api }) => ({ key, answer: await send(api, key) })),
    );
    for (const key of keys) {
      const ids = answers
        .filter((one) => one.key === key)
        .map(({ answer }) => answer.json<GenerationAnswer>().id);
      expect(new Set(ids).size, key).toBe(1);
    }
    for (const { answer } of answers)
      expect(answer.json(), answer.text).toMatchObject({ status: 'completed' });
    expect((await jobs()).length - before).toBe(keys.length);
  });

  it('are neither lost nor duplicated when a gateway is killed and they are sent to the other', async () => {
    const before = (await jobs()).length;
    const keys = Array.from({ length: 60 }, (_, index) => `order-${index}`);
    const sendings = Promise.allSettled(keys.map((key) => send(cluster.live, key)));
    // Midway: some jobs exist, some are being created, and some requests have not progressed that far.
    await eventually(async () => (await jobs()).length > before + 5, { intervalMs: 1 });
    await cluster.gateways[0]?.kill();
    await sendings;
    const answers = await Promise.all(keys.map((key) => send(there, key)));
    for (const answer of answers) expect(answer.json(), answer.text).toMatchObject({ status: 'completed' });
    expect(new Set(answers.map((answer) => answer.json<GenerationAnswer>().id)).size).toBe(keys.length);
    expect((await jobs()).length - before).toBe(keys.length);
  });
});
