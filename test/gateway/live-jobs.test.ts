import { GENERATION_JOB, type GenerationJob } from '@trifold/crds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/conditions.ts';
import { GatewayFixture } from './gateway-fixture.ts';
import { ScriptedBatches } from './scripted-batches.ts';
import { ScriptedController } from './scripted-controller.ts';

let gateway: GatewayFixture;
let template: string;
let controller: ScriptedController;
afterEach(async () => gateway.stop());

async function start(maxLiveJobs: number): Promise<void> {
  gateway = await GatewayFixture.start({ config: { maxLiveJobs } });
  template = await gateway.template();
  controller = new ScriptedController(gateway);
}

const generate = async (options: Parameters<GatewayFixture['call']>[2] = {}) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id: template, data: {}, async: true },
    ...options,
  });

/** The first answer of that status: the count is a moment behind. */
const answered = async (status: number, options?: Parameters<GatewayFixture['call']>[2]) =>
  eventually(`an answer ${status}`, async () => {
    const answer = await generate(options);
    return answer.statusCode === status ? answer : undefined;
  });

describe('the limit of unfinished documents', () => {
  beforeEach(async () => start(2));

  it('is 429 with a time to try again, until one is finished', async () => {
    for (let made = 0; made < 2; made += 1) expect((await generate()).statusCode).toBe(202);
    const refusal = await answered(429);
    expect(refusal.json()).toMatchObject({ code: 'too_many_jobs', message: expect.stringContaining(' 2 ') });
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    for (const job of await controller.jobs()) await controller.complete(job);
    await answered(202);
  });

  it('holds over all gateways and for jobs made by kubectl, for each account by itself', async () => {
    const another = await gateway.startAnother();
    expect((await generate({ gateway: another })).statusCode).toBe(202);
    const jobs = gateway.kubernetes.resource<GenerationJob>(GENERATION_JOB);
    const spec = { templateRef: { name: template }, data: {}, format: 'pdf' as const };
    await jobs.create({ metadata: { name: 'by-hand', namespace: 'acme' }, spec });
    await answered(429);
    await answered(429, { gateway: another });
    const other = await gateway.template({}, gateway.otherKey);
    const body = { template_id: other, data: {}, async: true };
    expect((await generate({ body, key: gateway.otherKey })).statusCode).toBe(202);
  });

  it('counts no job that is finished but still there, nor one that was deleted', async () => {
    for (const end of ['complete', 'fail', 'remove'] as const) {
      expect((await answered(202)).statusCode).toBe(202);
      await controller[end](await controller.next());
    }
    expect(await controller.jobs()).toHaveLength(2);
    await answered(202);
  });
});

describe('the limit of unfinished documents and batches', () => {
  const batchOf = async (count: number) =>
    gateway.call('POST', '/v1/generate/batch', {
      body: {
        template_id: template,
        format: 'pdf',
        items: Array.from({ length: count }, () => ({ data: {} })),
      },
    });
  const batchAnswered = async (status: number, count: number) =>
    eventually(`an answer ${status}`, async () => {
      const answer = await batchOf(count);
      return answer.statusCode === status ? answer : undefined;
    });

  it('counts a batch with all its items until it is finished', async () => {
    await start(5);
    const batches = new ScriptedBatches(gateway);
    const { id } = (await batchOf(4)).json<{ id: string }>();
    const refusal = await batchAnswered(429, 2);
    expect(refusal.json()).toMatchObject({
      code: 'too_many_jobs',
      message: expect.stringContaining('has 4 documents in the making and may have 5: 2 more'),
    });
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    expect((await generate()).statusCode).toBe(202);
    await answered(429);
    await batches.finish(id);
    await answered(202);
    await batchAnswered(202, 3);
    expect((await batchOf(6)).json().message).toContain('Ask for fewer at a time.');
  });
});

it('is not there where the setting is 0', async () => {
  await start(0);
  for (let made = 0; made < 5; made += 1) expect((await generate()).statusCode).toBe(202);
});
