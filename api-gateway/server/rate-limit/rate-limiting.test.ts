import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

describe('A limit of 3 requests per minute', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    // The windows follow Date, which advances independently of the gateway's clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    const rateLimit = { requests: 3, windowMs: 60_000 };
    gateway = await GatewayFixture.start({ clock: new FakeClock(), config: { rateLimit } });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await gateway.stop();
  });
  const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  const exhaust = async () => {
    for (let count = 0; count < 3; count++) await gateway.call('GET', '/v1/templates');
  };
  /** Starts a new one-minute window without requests. */
  const nextWindow = () => advance(60_000);

  it('reports the remaining requests with each response', async () => {
    nextWindow();
    const left: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const { statusCode, headers } = await gateway.call('GET', '/v1/templates');
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-policy': '3;w=60' });
      left.push([headers['ratelimit-remaining'], headers['ratelimit-reset']]);
      advance(10_500);
    }
    expect(left).toEqual([
      ['2', '60'],
      ['1', '50'],
      ['0', '39'],
    ]);
  });

  it('rejects the fourth request with 429 and a retry time', async () => {
    nextWindow();
    await exhaust();
    advance(47_900);
    const response = await gateway.call('GET', '/v1/templates');
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({
      'retry-after': '13',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '13',
    });
    expect(response.json()).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      code: 'rate_limited',
      message: expect.stringContaining('3 requests in 60 s'),
      request_id: response.headers['x-request-id'],
    });
    advance(13_000);
    expect((await gateway.call('GET', '/v1/templates')).statusCode).toBe(200);
  });

  it('rejects a request to any route before reading its body', async () => {
    nextWindow();
    await exhaust();
    for (const url of ['/v1/templates', '/v1/generate', '/v1/api-keys']) {
      expect((await gateway.call('POST', url, { body: '{ not read' })).statusCode).toBe(429);
    }
  });

  it('counts each key separately', async () => {
    nextWindow();
    await exhaust();
    const { statusCode, headers } = await gateway.call('GET', '/v1/templates', { key: gateway.otherKey });
    expect(statusCode).toBe(200);
    expect(headers['ratelimit-remaining']).toBe('2');
  });

  it('counts rejected requests, but not requests without a valid key', async () => {
    nextWindow();
    await gateway.call('GET', '/v1/templates/tpl-unknown');
    await gateway.call('POST', '/v1/templates', { body: '{ broken' });
    const stranger = await gateway.call('GET', '/v1/templates', { key: '' });
    expect(stranger.headers).not.toHaveProperty('ratelimit-limit');
    expect((await gateway.call('GET', '/v1/templates')).headers['ratelimit-remaining']).toBe('0');
  });

  it('does not count requests that require no key', async () => {
    nextWindow();
    for (let count = 0; count < 5; count++) {
      const response = await gateway.call('GET', '/healthz', { key: '' });
      expect(response.statusCode).toBe(200);
      expect(response.headers).not.toHaveProperty('ratelimit-limit');
    }
  });
});

it('A gateway without a rate limit sends no rate limit headers', async () => {
  const gateway = await GatewayFixture.forTest();
  for (let count = 0; count < 20; count++) {
    const { statusCode, headers } = await gateway.call('GET', '/v1/templates');
    expect(statusCode).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  }
});
