import { expect, it } from 'vitest';
import { GENERATION_JOB, type GenerationJob } from '@trifold/crds';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

const CALLBACK = 'https://hooks.example.com/one?order=7';

const gateway = await GatewayFixture.shared();
const controller = new ScriptedController(gateway);
const template_id = await gateway.template();

const generate = async (more: object, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/generate', { body: { template_id, data: {}, ...more }, headers });

it('sets the webhook_url of a request as the callback URL of its job', async () => {
  const response = await generate({ webhook_url: CALLBACK, async: true });
  expect(response.statusCode, response.body).toBe(202);
  const jobs = gateway.kubernetes.resource<GenerationJob>(GENERATION_JOB);
  expect((await jobs.get('acme', response.json().id)).spec.callbackURL).toBe(CALLBACK);
  await controller.complete(await controller.next());
});

it('returns JSON instead of the file for a request with a webhook_url', async () => {
  const asking = generate({ webhook_url: CALLBACK }, { accept: 'application/pdf' });
  await controller.complete(await controller.next());
  const response = await asking;
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ status: 'completed', file_url: expect.any(String) });
});

it('treats a different webhook_url as a different request under the same Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'callback-1' };
  const first = await generate({ webhook_url: CALLBACK, async: true }, headers);
  const again = await generate({ webhook_url: CALLBACK, async: true }, headers);
  expect(again.json().id).toBe(first.json().id);
  const other = await generate({ webhook_url: `${CALLBACK}8`, async: true }, headers);
  expect(other.json()).toMatchObject({ statusCode: 422, code: 'idempotency_key_reused' });
  await controller.complete(await controller.next());
});

it.each([
  ['a private address', 'https://192.168.0.1/'],
  ['an empty string', ''],
  ['null', null],
])('returns 400 for a webhook_url with %s and creates no job', async (_what, webhook_url) => {
  const before = (await controller.jobs()).length;
  const response = await generate({ webhook_url, async: true });
  expect(response.json()).toMatchObject({ statusCode: 400, details: [{ path: '/webhook_url' }] });
  expect(await controller.jobs()).toHaveLength(before);
});
