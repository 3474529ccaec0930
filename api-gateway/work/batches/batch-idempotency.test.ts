import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture, type FixtureOptions } from '../../testing/gateway-fixture.ts';
import { losingCreates } from '@trifold/test-support/faults/losing-writes.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';

let gateway: GatewayFixture;
let controller: ScriptedBatches;
let template_id: string;

async function start(options: FixtureOptions = {}): Promise<void> {
  gateway = await GatewayFixture.start(options);
  controller = new ScriptedBatches(gateway);
  template_id = await gateway.template();
}
afterEach(async () => gateway.stop());

type Call = Parameters<GatewayFixture['call']>[2];
const ITEMS = [{ data: { name: 'Ada', age: 36 } }, { data: { name: 'Grace' } }];

const send = async (members: object = {}, options: Call = {}) =>
  gateway.call('POST', '/v1/generate/batch', {
    ...options,
    body: { template_id, format: 'pdf', items: ITEMS, ...members },
    headers: { 'idempotency-key': 'run-17' },
  });

describe('A batch with an Idempotency-Key', () => {
  beforeEach(() => start());

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

  it('is created once for concurrent requests to two gateways', async () => {
    const another = await gateway.startAnother();
    const sendings = Array.from({ length: 12 }, (_, index) =>
      send({}, { gateway: index % 2 === 0 ? gateway.gateway : another }),
    );
    const answers = await Promise.all(sendings);
    for (const answer of answers) expect(answer.json()).toEqual(answers[0]?.json());
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 202));
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await controller.all()).toHaveLength(1);
    expect(await controller.data(answers[0]?.json().id)).toEqual(ITEMS.map(({ data }) => data));
  });

  it('returns 422 for a different body, including a different order of the items', async () => {
    await send();
    const others = [
      { items: ITEMS.toReversed() },
      { items: ITEMS.slice(1) },
      { options: { page_size: 'a4' } },
    ];
    for (const other of others) {
      expect((await send(other)).json()).toMatchObject({ statusCode: 422, code: 'idempotency_key_reused' });
    }
    expect(await controller.all()).toHaveLength(1);
  });

  it('is the same request for equivalent JSON, even after defaults were applied to its data', async () => {
    const schema = { fields: [{ name: 'greeting', type: 'string', default: 'Dear' }] };
    template_id = await gateway.template({ schema });
    const first = await send();
    const items = `[{"data":{"age":3.6e1,"name":"Ad\\u0061"}},{"data":{"name":"Grace"}}]`;
    const again = await gateway.call('POST', '/v1/generate/batch', {
      body: `{ "items": ${items}, "format": "pdf",\n "template_id": "${template_id}" }`,
      headers: { 'idempotency-key': 'run-17' },
    });
    expect(again.json()).toEqual(first.json());
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

  it('does not use up the key if the request is invalid', async () => {
    expect((await send({ template_id: 'tpl-unknown' })).statusCode).toBe(404);
    expect((await send({ items: [] })).statusCode).toBe(400);
    expect((await send()).statusCode).toBe(202);
  });

  it('is returned even if its template has been deleted', async () => {
    const first = await send();
    await gateway.call('DELETE', `/v1/templates/${template_id}`);
    expect((await send()).json()).toEqual(first.json());
  });
});

describe('A batch with an Idempotency-Key after a gateway crash', () => {
  it('is created under the promised id if the gateway crashed before the creation', async () => {
    await start({ intercept: losingCreates('batches', 'before') });
    expect((await send()).statusCode).toBe(503);
    expect(await controller.all()).toEqual([]);
    const { objects } = await gateway.store.list('documents/');
    const promised = objects.find(({ key }) => key.includes('/acme/idempotency-'));
    const record = JSON.parse(String(await gateway.store.read(promised!.key))) as { id: string };
    const again = await send();
    expect(again.json()).toMatchObject({ id: record.id, status: 'pending' });
    expect((await controller.all()).map(({ metadata }) => metadata.name)).toEqual([record.id]);
  });

  it('is created once by concurrent repetitions if the gateway crashed before the creation', async () => {
    await start({ intercept: losingCreates('batches', 'before') });
    await send();
    const another = await gateway.startAnother();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send({}, { gateway: index % 2 ? another : gateway.gateway })),
    );
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(await controller.all()).toHaveLength(1);
  });

  it('is returned if the gateway crashed after the creation', async () => {
    await start({ intercept: losingCreates('batches', 'after') });
    expect((await send()).statusCode).toBe(503);
    const [batch] = await controller.all();
    expect((await send()).json()).toMatchObject({ id: batch?.metadata.name });
    expect(await controller.all()).toHaveLength(1);
  });

  it('is created hours later and expires at the original time', async () => {
    const clock = new FakeClock();
    await start({ clock, intercept: losingCreates('batches', 'before') });
    const promised = clock.now().getTime();
    await send();
    clock.advance(20 * 3_600_000);
    const again = await send();
    expect(again.json()).toMatchObject({ expires_at: new Date(promised + 24 * 3_600_000).toISOString() });
    const { id } = again.json<{ id: string }>();
    await controller.finish(id);
    await controller.remove(id);
    expect((await gateway.call('GET', `/v1/generate/batch/${id}/download`)).statusCode).toBe(200);
    clock.advance(4 * 3_600_000);
    expect((await gateway.call('GET', `/v1/generate/batch/${id}`)).statusCode).toBe(410);
  });
});
