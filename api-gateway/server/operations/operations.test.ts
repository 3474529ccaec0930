import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { ApiRequest, ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import { statusResponse } from '@trifold/platform/kubernetes/testing/model-api.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

let gateway: GatewayFixture;

/** An API server that fails on demand. */
interface Faulty {
  fault: ((request: ApiRequest) => ApiResponse | Error | undefined) | undefined;
}

async function startFaulty(clock?: FakeClock): Promise<Faulty> {
  const faulty: Faulty = { fault: undefined };
  const intercept = intercepting((request) => {
    const fault = faulty.fault?.(request);
    if (fault instanceof Error) throw fault;
    return fault;
  });
  gateway = await GatewayFixture.forTest({ intercept, ...(clock && { clock }) });
  return faulty;
}

it('Operational endpoints do not require a key', async () => {
  gateway = await GatewayFixture.forTest();
  const health = await gateway.call('GET', '/healthz', { key: '' });
  expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok' }]);
  const ready = await gateway.call('GET', '/readyz', { key: '' });
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toEqual({
    status: 'ready',
    checks: ['accepting', 'keys', 'object-store'].map((name) => ({ name, ready: true })),
  });
  const metrics = await gateway.call('GET', '/metrics', { key: '' });
  expect(metrics.headers['content-type']).toContain('text/plain');
  expect(metrics.body).toContain(
    'trifold_gateway_request_duration_seconds_count{method="GET",route="/readyz",status="200"} 1',
  );
});

it('Operational endpoints count unknown routes under one name', async () => {
  gateway = await GatewayFixture.forTest();
  await gateway.call('GET', '/random-1');
  await gateway.call('GET', '/random-2');
  const { body } = await gateway.call('GET', '/metrics');
  expect(body).toContain('{method="any",route="unknown",status="404"} 2');
  expect(body).not.toContain('random');
});

it('Readiness is lost when the gateway cannot confirm the keys for ten seconds, and recovers', async () => {
  const clock = new FakeClock();
  const faulty = await startFaulty(clock);
  faulty.fault = () => new Error('connection refused');
  // Watches are renewed every four seconds; the next ones fail.
  for (let step = 0; step < 16; step++) clock.advance(1000);
  const lost = await clock.passUntil(1000, async () => {
    const response = await gateway.call('GET', '/readyz');
    return response.statusCode === 503 ? response.json<{ checks: { name: string }[] }>() : false;
  });
  expect(lost.checks.find(({ name }) => name === 'keys')).toMatchObject({
    ready: false,
    reason: expect.stringMatching(/last confirmed \d+ s ago/),
  });
  faulty.fault = undefined;
  await clock.passUntil(1000, async () => (await gateway.call('GET', '/readyz')).statusCode === 200);
});

it('Readiness reports every reason, including a check that hangs', async () => {
  const clock = new FakeClock();
  gateway = await GatewayFixture.forTest({ clock });
  const other = await gateway.another({
    checks: [
      { name: 'renderer', check: async () => Promise.reject(new Error('no browser is ready')) },
      { name: 'stuck', check: async () => new Promise(() => {}) },
    ],
  });
  const storeCheck = vi.spyOn(gateway.store, 'check');
  let isAnswered = false;
  const asking = other.app.inject('/readyz').finally(() => (isAnswered = true));
  await eventually(() => storeCheck.mock.settledResults[0]?.type === 'fulfilled');
  await clock.passUntil(500, () => isAnswered);
  const response = await asking;
  expect(response.statusCode).toBe(503);
  expect(response.json()).toEqual({
    status: 'not ready',
    checks: [
      { name: 'accepting', ready: true },
      { name: 'keys', ready: false, reason: 'the API keys have not been read yet' },
      { name: 'object-store', ready: true },
      { name: 'renderer', ready: false, reason: 'no browser is ready' },
      { name: 'stuck', ready: false, reason: 'no response within 2000 ms' },
    ],
  });
  const early = await other.app.inject({
    url: '/v1/templates',
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  expect(early.statusCode).toBe(503);
  expect(early.headers['retry-after']).toBe('1');
});

describe('A gateway with a failing dependency', () => {
  it('returns 503 with Retry-After for every kind of API server failure', async () => {
    const faulty = await startFaulty();
    const ways: [() => ApiResponse | Error, string][] = [
      [() => new Error('connection refused'), '1'],
      [() => statusResponse(503, 'ServiceUnavailable'), '1'],
      [() => statusResponse(500, 'InternalError'), '1'],
      [() => ({ ...statusResponse(429, 'TooManyRequests'), headers: { 'retry-after': '7' } }), '7'],
      [() => statusResponse(403, 'Forbidden'), '1'],
    ];
    for (const [fault, retryAfter] of ways) {
      faulty.fault = ({ query }) => (query?.['watch'] ? undefined : fault());
      for (const [method, url] of [
        ['GET', '/v1/templates'],
        ['GET', '/v1/templates/x'],
        ['GET', '/v1/generate/x'],
      ] as const) {
        const response = await gateway.call(method, url);
        expect(response.statusCode).toBe(503);
        expect(response.headers['retry-after']).toBe(retryAfter);
        expect(response.json().code).toBe('unavailable');
      }
    }
    faulty.fault = undefined;
  });

  it('returns 202 for an accepted job if the API server is unavailable when the wait ends', async () => {
    const clock = new FakeClock();
    const faulty = await startFaulty(clock);
    const template_id = await gateway.template();
    const answering = gateway.call('POST', '/v1/generate', { body: { template_id, data: {} } });
    await new ScriptedController(gateway).next();
    faulty.fault = ({ query }) => (query?.['watch'] ? undefined : new Error('connection refused'));
    clock.advance(30_000);
    const response = await answering;
    expect(response.statusCode).toBe(202);
    expect(response.json().status).toBe('processing');
    faulty.fault = undefined;
  });

  it('still returns a document without the watch, no later than the end of the wait', async () => {
    const clock = new FakeClock();
    const faulty = await startFaulty(clock);
    const controller = new ScriptedController(gateway);
    const template_id = await gateway.template();
    faulty.fault = ({ query }) => (query?.['watch'] ? new Error('connection refused') : undefined);
    const answering = gateway.call('POST', '/v1/generate', { body: { template_id, data: {} } });
    await controller.complete(await controller.next());
    clock.advance(30_000);
    const response = await answering;
    expect(response.statusCode).toBe(200);
    expect(response.json().status).toBe('completed');
    faulty.fault = undefined;
  });

  it('returns 503 and creates no job if the object store is unavailable', async () => {
    gateway = await GatewayFixture.forTest();
    const template_id = await gateway.template();
    const away = new Proxy<ObjectStore>(gateway.store, {
      get: () => async () => Promise.reject(new ObjectStoreError('unavailable', 'connection refused')),
    });
    const other = await gateway.startAnother({ store: away });
    const body = { template_id, data: {} };
    const responses = [
      await gateway.call('POST', '/v1/generate', { body, gateway: other }),
      await gateway.call('GET', '/v1/usage', { gateway: other }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect((await other.app.inject('/readyz')).json().checks[2]).toMatchObject({
      ready: false,
      reason: 'connection refused',
    });
    expect(await new ScriptedController(gateway).jobs()).toEqual([]);
  });

  it('returns 500 without internal details after an unexpected error and logs it', async () => {
    const lines: string[] = [];
    gateway = await GatewayFixture.forTest();
    const broken = new Proxy<ObjectStore>(gateway.store, {
      get: () => async () => Promise.reject(new TypeError('secret inside')),
    });
    const other = await gateway.startAnother({
      store: broken,
      logger: createLogger({
        name: 'test',
        level: 'info',
        destination: { write: (line: string) => void lines.push(line) },
      }),
    });
    const response = await gateway.call('GET', '/v1/usage', { gateway: other });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'internal_error', request_id: expect.any(String) });
    expect(response.body).not.toContain('secret');
    const logged = lines.find((line) => line.includes('request failed'));
    expect(logged).toContain(response.json().request_id);
    expect(logged).toContain('secret inside');
  });
});
