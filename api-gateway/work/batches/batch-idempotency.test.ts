import { beforeEach, describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';

let gateway: GatewayFixture;
let controller: ScriptedBatches;
let template_id: string;

beforeEach(async () => {
  gateway = await GatewayFixture.forTest();
  controller = new ScriptedBatches(gateway);
  template_id = await gateway.template();
});

type Call = Parameters<GatewayFixture['call']>[2];
const ITEMS = [{ data: { name: 'Ada', age: 36 } }, { data: { name: 'Grace' } }];

const send = async (members: object = {}, options: Call = {}) =>
  gateway.call('POST', '/v1/generate/batch', {
    ...options,
    body: { template_id, format: 'pdf', items: ITEMS, ...members },
    headers: { 'idempotency-key': 'run-17' },
  });

describe('A batch with an Idempotency-Key', () => {
  it('is created once, and repetitions return 202 with its current status', async () => {
    const first = await send();
    expect(first.statusCode, first.body).toBe(202);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const { id } = first.json<{ id: string }>();
    const again = await send();
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(again.json()).toEqual(first.json());
    await controller.finish(id);
    expect((await send()).json()).toMatchObject({ id, status: 'completed', completed: 2 });
    await controller.remove(id);
    const last = await send();
    expect([last.statusCode, last.json().id, last.json().status]).toEqual([202, id, 'completed']);
    expect(await controller.all()).toEqual([]);
  });

  it('is independent of a document with the same key and of other API keys', async () => {
    const { id } = (await send()).json<{ id: string }>();
    const document = await gateway.call('POST', '/v1/generate', {
      body: { template_id, data: {}, async: true },
      headers: { 'idempotency-key': 'run-17' },
    });
    expect(document.statusCode).toBe(202);
    const sibling = await send({}, { key: await gateway.mint({}, true) });
    expect(sibling.json().id).not.toBe(id);
  });
});
