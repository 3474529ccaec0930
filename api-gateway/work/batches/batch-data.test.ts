import { describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const batches = new ScriptedBatches(gateway, await gateway.template());

const fields = [
  { name: 'name', type: 'string', required: true },
  { name: 'total', type: 'number', min: 0 },
];
const strict = await gateway.template({ schema: { fields } });

describe('Batch item data', () => {
  it('is validated before anything is stored, with the item index in each error path', async () => {
    const before = (await batches.all()).length;
    const items = Array.from({ length: 20 }, () => ({ data: { name: 'Ada', total: 1 } as object }));
    items[3] = { data: { total: 2 } };
    items[17] = { data: { name: 'Ada', total: -1 } };
    const stored = (await gateway.store.list('documents/')).objects.length;
    const response = await batches.send({ template_id: strict, items });
    expect(response.json()).toMatchObject({
      statusCode: 422,
      code: 'data_invalid',
      message: expect.stringContaining('/items/3/data/name is required (and 1 more)'),
      details: [
        { path: '/items/3/data/name', message: 'is required' },
        { path: '/items/17/data/total', message: 'must be at least 0' },
      ],
    });
    expect((await batches.all()).length).toBe(before);
    expect((await gateway.store.list('documents/')).objects.length).toBe(stored);
  });

  it('produces at most 100 validation errors', async () => {
    const items = Array.from({ length: 100 }, () => ({ data: { total: 'much' } }));
    const { details } = (await batches.send({ template_id: strict, items })).json<{ details: unknown[] }>();
    expect(details).toHaveLength(100);
  });

  it('has a size limit that includes the schema defaults', async () => {
    const text = { type: 'string', default: 'x'.repeat(100_000) };
    const rows = { name: 'rows', type: 'array', items: { type: 'object', properties: { text } } };
    const large = await gateway.template({ schema: { fields: [rows] } });
    const ofRows = (count: number) => ({ data: { rows: Array.from({ length: count }, () => ({})) } });
    const hundred = Array.from({ length: 100 }, () => ofRows(2));
    for (const [items, naming] of [
      [[ofRows(20_000)], '/items/0/data has more than 2097152 bytes'],
      [hundred, 'the data exceeds 16777216 bytes'],
    ] as const) {
      const response = await batches.send({ template_id: large, items });
      const message = expect.stringContaining(naming);
      expect(response.json()).toMatchObject({ statusCode: 413, code: 'body_too_large', message });
    }
    expect((await batches.send({ template_id: large, items: [ofRows(2)] })).statusCode).toBe(202);
  });
});

const small = await GatewayFixture.shared({ config: { maxBodyBytes: 2048, maxBatchBodyBytes: 8192 } });

describe('A batch request body', () => {
  const sendItems = async (template: string, sizes: number[], headers: Record<string, string> = {}) => {
    const items = sizes.map((bytes) => ({ data: { text: 'x'.repeat(bytes) } }));
    const body = { template_id: template, format: 'pdf', items };
    return small.call('POST', '/v1/generate/batch', { body, headers });
  };

  it('has its own size limit, which the error states', async () => {
    expect((await sendItems('tpl-none', [1500, 1500, 1500, 1500])).json().code).toBe('template_not_found');
    const beyond = await sendItems('tpl-none', [1800, 1800, 1800, 1800, 1800]);
    const message = expect.stringContaining('8192 bytes');
    expect(beyond.json()).toMatchObject({ statusCode: 413, code: 'body_too_large', message });
    const single = { template_id: 'tpl-none', data: { text: 'x'.repeat(3000) } };
    const rejected = await small.call('POST', '/v1/generate', { body: single });
    expect(rejected.json().message).toContain('2048 bytes');
  });

  it.each([
    ['without an Idempotency-Key', {}],
    ['with an Idempotency-Key, which stays unused', { 'idempotency-key': 'run-1' }],
  ])('may not contain an item larger than the limit for a single document: %s', async (_what, headers) => {
    const template = await small.template();
    const response = await sendItems(template, [10, 3000, 10], headers);
    expect(response.json()).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: expect.stringContaining('/items/1/data has more than 2048 bytes'),
      details: [{ path: '/items/1/data', message: expect.stringContaining('2048 bytes') }],
    });
    expect((await sendItems(template, [10, 2000, 10], headers)).statusCode).toBe(202);
  });

  it("counts an item's bytes, not its characters", async () => {
    const template_id = await small.template();
    const body = { template_id, format: 'pdf', items: [{ data: { text: 'ö'.repeat(1100) } }] };
    expect((await small.call('POST', '/v1/generate/batch', { body })).statusCode).toBe(413);
  });
});
