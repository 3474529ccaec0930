import { BATCH, GENERATION_JOB } from '@trifold/crds';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { losingCreates } from '@trifold/test-support/faults/losing-writes.ts';
import { SlowWatch } from '@trifold/test-support/faults/slow-watch.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';
import type { GatewayConfig } from '../../config.ts';

let gateway: GatewayFixture;
let template: string;
let controller: ScriptedController;

async function start(maxUnfinishedDocuments: number, config: Partial<GatewayConfig> = {}): Promise<void> {
  gateway = await GatewayFixture.forTest({ config: { ...config, maxUnfinishedDocuments } });
  template = await gateway.template();
  controller = new ScriptedController(gateway);
}

const generate = async (options: Parameters<GatewayFixture['call']>[2] = {}) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id: template, data: {}, async: true },
    ...options,
  });

/** Returns the first response with this status; retries because the count lags slightly. */
const first = async (status: number, send: () => ReturnType<GatewayFixture['call']>) =>
  eventually(async () => {
    const response = await send();
    return response.statusCode === status ? response : false;
  });
const answered = async (status: number, options?: Parameters<GatewayFixture['call']>[2]) =>
  first(status, async () => generate(options));

describe('The quota for unfinished documents', () => {
  beforeEach(async () => start(2));

  it('returns 429 with Retry-After until a document is finished', async () => {
    for (let made = 0; made < 2; made += 1) expect((await generate()).statusCode).toBe(202);
    const rejected = await answered(429);
    expect(rejected.json()).toMatchObject({ code: 'too_many_jobs', message: expect.stringContaining(' 2 ') });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    for (const job of await controller.jobs()) await controller.complete(job);
    await answered(202);
  });

  it('applies across gateways and to kubectl-created jobs, separately for each account', async () => {
    const another = await gateway.startAnother();
    expect((await generate({ gateway: another })).statusCode).toBe(202);
    const jobs = gateway.kubernetes.resource(GENERATION_JOB);
    const spec = { templateRef: { name: template }, data: {}, format: 'pdf' as const };
    await jobs.create({ metadata: { name: 'by-hand', namespace: 'acme' }, spec });
    await answered(429);
    await answered(429, { gateway: another });
    const other = await gateway.template({}, gateway.otherKey);
    const body = { template_id: other, data: {}, async: true };
    expect((await generate({ body, key: gateway.otherKey })).statusCode).toBe(202);
  });

  it.each([
    ['documents', '/v1/generate', { data: {}, async: true }],
    ['batches', '/v1/generate/batch', { format: 'pdf', items: [{ data: {} }] }],
  ])('counts large options of %s as one document per 16 KiB, across gateways', async (_what, url, work) => {
    await gateway.stop();
    await start(3);
    const another = await gateway.startAnother();
    const content = 'x'.repeat(16_000);
    const options = { header: { content }, footer: { content } };
    const body = { template_id: template, ...work, options };
    const made = await gateway.call('POST', url, { body });
    expect(made.statusCode, made.body).toBe(202);
    for (const each of [gateway.gateway, another]) {
      const rejected = await first(429, async () => gateway.call('POST', url, { body, gateway: each }));
      expect(rejected.json().message).toContain('has 2 unfinished documents; the limit is 3, so 2 more');
    }
  });

  it('counts documents and batches that the watch does not show yet', async () => {
    await gateway.stop();
    const watches = [new SlowWatch('generationjobs'), new SlowWatch('batches')];
    for (const watch of watches) watch.hold();
    const intercept = (transport: ApiTransport) =>
      watches.reduce((inner, watch) => watch.transport(inner), transport);
    gateway = await GatewayFixture.forTest({ config: { maxUnfinishedDocuments: 2 }, intercept });
    template = await gateway.template();
    controller = new ScriptedController(gateway);
    const body = { template_id: template, format: 'pdf', items: [{ data: {} }] };
    expect((await gateway.call('POST', '/v1/generate/batch', { body })).statusCode).toBe(202);
    expect((await generate()).statusCode).toBe(202);
    for (let again = 0; again < 3; again += 1) expect((await generate()).statusCode).toBe(429);
    await controller.complete(await controller.next());
    for (const watch of watches) watch.tell(Infinity);
    await answered(202);
  });

  it('counts neither finished jobs that still exist nor deleted jobs', async () => {
    for (const end of ['complete', 'fail', 'remove'] as const) {
      expect((await answered(202)).statusCode).toBe(202);
      await controller[end](await controller.next());
    }
    expect(await controller.jobs()).toHaveLength(2);
    await answered(202);
  });
});

const batchOf = async (count: number) =>
  gateway.call('POST', '/v1/generate/batch', {
    body: {
      template_id: template,
      format: 'pdf',
      items: Array.from({ length: count }, () => ({ data: {} })),
    },
  });
const batchAnswered = async (status: number, count: number) => first(status, async () => batchOf(count));

it('The quota for unfinished documents and batches counts all items of a batch until the batch is finished', async () => {
  await start(5);
  const batches = new ScriptedBatches(gateway);
  const { id } = (await batchOf(4)).json<{ id: string }>();
  const rejected = await batchAnswered(429, 2);
  expect(rejected.json()).toMatchObject({
    code: 'too_many_jobs',
    message: expect.stringContaining('has 4 unfinished documents; the limit is 5, so 2 more'),
  });
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  expect((await generate()).statusCode).toBe(202);
  await answered(429);
  await batches.finish(id);
  await answered(202);
  await batchAnswered(202, 3);
  expect((await batchOf(6)).json().message).toContain('Request fewer at a time.');
});

describe('The quota while batches are being created', () => {
  const HUNDRED = Array.from({ length: 100 }, () => ({ data: {} }));
  const sendBatch = async (headers: Record<string, string> = {}) =>
    gateway.call('POST', '/v1/generate/batch', {
      body: { template_id: template, format: 'pdf', items: HUNDRED },
      headers,
    });

  it('admits no more concurrent batches than the quota allows', async () => {
    await start(200);
    const responses = await Promise.all(Array.from({ length: 30 }, () => sendBatch()));
    expect(responses.filter(({ statusCode }) => statusCode === 202)).toHaveLength(2);
    const rejected = responses.filter(({ statusCode }) => statusCode === 429);
    expect(rejected).toHaveLength(28);
    expect(rejected[0]?.json()).toMatchObject({ code: 'too_many_jobs' });
    expect(await new ScriptedBatches(gateway).all()).toHaveLength(2);
  });

  it('releases the reservation immediately if the creation fails', async () => {
    const intercept = losingCreates('batches', 'before');
    gateway = await GatewayFixture.forTest({ config: { maxUnfinishedDocuments: 100 }, intercept });
    template = await gateway.template();
    expect((await sendBatch()).statusCode).toBe(503);
    expect((await sendBatch()).statusCode).toBe(202);
    expect((await sendBatch()).statusCode).toBe(429);
  });

  it('counts concurrent repetitions of one request once', async () => {
    await start(100);
    const sendings = Array.from({ length: 5 }, () => sendBatch({ 'idempotency-key': 'run-1' }));
    const responses = await Promise.all(sendings);
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
    expect(await new ScriptedBatches(gateway).all()).toHaveLength(1);
  });

  it('counts a batch without an item count as the largest possible batch', async () => {
    await start(101);
    const prefix = 'documents/20261121T1200Z/acme/by-hand/';
    const pinned = { templateRef: { name: template }, revision: 'a'.repeat(64), version: 1 };
    await gateway.kubernetes.resource(BATCH).create({
      metadata: { name: 'by-hand', namespace: 'acme' },
      spec: { ...pinned, itemsRef: { prefix, size: 2 }, total: 1 },
    });
    expect((await first(429, sendBatch)).json().message).toContain('has 100 unfinished documents');
  });
});

it('counts documents that a request has waited for until they are finished', async () => {
  await start(2, { syncWaitMs: 1 });
  const body = { template_id: template, data: {} };
  for (let made = 0; made < 2; made += 1) {
    expect((await gateway.call('POST', '/v1/generate', { body })).statusCode).toBe(202);
  }
  for (let again = 0; again < 3; again += 1) expect((await generate()).statusCode).toBe(429);
  await controller.complete(await controller.next());
  await answered(202);
});

it('does not limit documents if the setting is 0', async () => {
  await start(0);
  for (let made = 0; made < 5; made += 1) expect((await generate()).statusCode).toBe(202);
});
