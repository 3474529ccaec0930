import { beforeEach, describe, expect, it } from 'vitest';
import { GENERATION_JOB } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture, type FixtureOptions } from '../../testing/gateway-fixture.ts';
import { losingCreates } from '@trifold/test-support/faults/losing-writes.ts';
import { PDF, ScriptedController } from '../../testing/scripted-controller.ts';

let gateway: GatewayFixture;
let controller: ScriptedController;
let template: string;

async function start(options: FixtureOptions = {}): Promise<void> {
  gateway = await GatewayFixture.forTest(options);
  controller = new ScriptedController(gateway);
  template = await gateway.template();
}

type Call = Parameters<GatewayFixture['call']>[2] & { readonly idempotencyKey?: string };

const send = async (body: object = {}, { idempotencyKey = 'order-17', ...options }: Call = {}) =>
  gateway.call('POST', '/v1/generate', {
    ...options,
    body: { template_id: template, data: { name: 'Ada' }, ...body },
    headers: { 'idempotency-key': idempotencyKey, ...options.headers },
  });

describe('A request with an Idempotency-Key', () => {
  beforeEach(() => start());

  it('returns the same document when it is repeated, and marks the response as replayed', async () => {
    const stop = controller.completeAll();
    const first = await send();
    const again = await send();
    await stop();
    expect(first.json()).toMatchObject({ status: 'completed' });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await controller.jobs()).length).toBe(1);
  });

  it("returns 202 with the document's current state to each asynchronous repetition", async () => {
    const first = await send({ async: true });
    expect(first.statusCode).toBe(202);
    expect(first.json()).toMatchObject({ status: 'pending' });
    await controller.complete(await controller.next());
    const again = await send({ async: true });
    expect(again.statusCode).toBe(202);
    expect(again.json()).toMatchObject({ id: first.json().id, status: 'completed' });
  });

  it('returns the file as well as the JSON', async () => {
    const stop = controller.completeAll();
    const first = await send();
    const again = await send({}, { headers: { accept: 'application/pdf' } });
    await stop();
    expect(again.rawPayload).toEqual(PDF);
    expect(again.headers['content-location']).toBe(first.json().file_url);
  });

  it('returns one document to many simultaneous requests at two gateways', async () => {
    const another = await gateway.startAnother();
    const sendings = Array.from({ length: 12 }, (_, index) =>
      send({}, { gateway: index % 2 === 0 ? gateway.gateway : another }),
    );
    await controller.complete(await controller.next());
    const responses = await Promise.all(sendings);
    for (const response of responses) expect(response.json()).toEqual(responses[0]?.json());
    expect(responses[0]?.json()).toMatchObject({ status: 'completed' });
    expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length).toBe(1);
    expect((await controller.jobs()).length).toBe(1);
  });

  it("returns a document's failure again", async () => {
    const first = send();
    await controller.fail(await controller.next());
    expect((await first).json()).toMatchObject({ status: 'failed' });
    expect((await send()).json()).toEqual((await first).json());
  });

  it('is rejected with a different body', async () => {
    await send({ async: true });
    const webhook_url = 'https://hooks.example.com/one';
    const changes = [{ filename: 'other.pdf' }, { metadata: { order: 'A-17' } }, { webhook_url }];
    const asynchronous = changes.map((change) => ({ ...change, async: true }));
    for (const body of [{ data: { name: 'Grace' } }, {}, ...asynchronous]) {
      expect((await send(body)).json()).toMatchObject({ statusCode: 422, code: 'idempotency_key_reused' });
    }
    expect((await controller.jobs()).length).toBe(1);
  });

  it('is the same request in any JSON notation', async () => {
    const first = await send({ async: true, data: { name: 'Ada', age: 36 } });
    const again = await gateway.call('POST', '/v1/generate', {
      body: `{ "async": true,\n "data": {"age": 3.6e1, "name": "Ad\\u0061"}, "template_id": "${template}" }`,
      headers: { 'idempotency-key': 'order-17' },
    });
    expect(again.json()).toMatchObject({ id: first.json().id });
  });

  it('is not stored when it is rejected, so that the caller can correct it', async () => {
    expect((await send({ template_id: 'tpl-unknown', async: true })).statusCode).toBe(404);
    expect((await send({ async: true })).statusCode).toBe(202);
  });

  it('returns its document after its template is deleted', async () => {
    const first = await send({ async: true });
    await gateway.call('DELETE', `/v1/templates/${template}`);
    expect((await send({ async: true })).json()).toMatchObject({ id: first.json().id });
  });

  it('returns its document after the job resource is deleted', async () => {
    const stop = controller.completeAll();
    const first = await send();
    await stop();
    const [job] = await controller.jobs();
    await controller.remove(job!);
    expect((await send()).json()).toEqual(first.json());
    expect(await controller.jobs()).toEqual([]);
  });

  it('requires a valid key', async () => {
    const response = await send({ async: true }, { idempotencyKey: 'x'.repeat(256) });
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(await controller.jobs()).toEqual([]);
  });
});

describe('A repeated request with an Idempotency-Key', () => {
  it('creates the promised document, with its original expiry, hours after the gateway crashed', async () => {
    const clock = new FakeClock();
    await start({ clock, intercept: losingCreates('generationjobs', 'before') });
    const promisedAt = clock.now().getTime();
    expect((await send({ async: true })).statusCode).toBe(503);
    expect(await controller.jobs()).toEqual([]);
    const [promised] = (await gateway.store.list('documents/')).objects.filter(({ key }) =>
      key.includes('/acme/idempotency-'),
    );
    const record = JSON.parse((await gateway.store.read(promised!.key))!.toString()) as { id: string };
    clock.advance(20 * 3_600_000);
    const again = await send({ async: true });
    const expires_at = new Date(promisedAt + 24 * 3_600_000).toISOString();
    expect(again.json()).toMatchObject({ id: record.id, status: 'pending', expires_at });
    expect((await controller.jobs()).map(({ metadata }) => metadata.name)).toEqual([record.id]);
    await controller.complete(await controller.next());
    expect((await gateway.call('GET', `/v1/generate/${record.id}/download`)).rawPayload).toEqual(PDF);
  });

  it('returns the job if the gateway did not learn that it was created', async () => {
    await start({ intercept: losingCreates('generationjobs', 'after') });
    expect((await send({ async: true })).statusCode).toBe(503);
    const [job] = await controller.jobs();
    expect((await send({ async: true })).json()).toMatchObject({ id: job?.metadata.name });
    expect((await controller.jobs()).length).toBe(1);
  });

  it('counts as a new request 24 hours after the first one', async () => {
    const clock = new FakeClock();
    await start({ clock });
    const first = await send({ async: true });
    clock.advance(24 * 3_600_000 - 1);
    expect((await send({ async: true })).json().id).toBe(first.json().id);
    clock.advance(1);
    const second = await send({ async: true, data: { name: 'Grace' } });
    expect(second.statusCode).toBe(202);
    expect(second.json().id).not.toBe(first.json().id);
  });
});

it('A repeated request that waits gets 202 when the wait times out, and leaves no watch behind', async () => {
  let watches = 0;
  await start({
    config: { syncWaitMs: 50 },
    intercept: (transport) => ({
      async send(request) {
        const isOwn = request.query?.['fieldSelector']?.startsWith('metadata.name=gen-') ?? false;
        const response = await transport.send(request);
        if (!isOwn || request.query?.['watch'] !== 'true') return response;
        watches += 1;
        request.signal?.addEventListener('abort', () => (watches -= 1), { once: true });
        return response;
      },
    }),
  });
  await send();
  const again = await send();
  expect(again.statusCode).toBe(202);
  expect(again.json()).toMatchObject({ status: 'processing' });
  await eventually(() => watches === 0);
});

it("A repeated request that waits ends when the document's resource is deleted", async () => {
  await start();
  const first = send();
  const job = await controller.next();
  const again = send();
  await controller.storeFile(job);
  await gateway.kubernetes.resource(GENERATION_JOB).delete('acme', job.metadata.name);
  expect((await first).json()).toMatchObject({ status: 'completed' });
  expect((await again).json()).toEqual((await first).json());
});
