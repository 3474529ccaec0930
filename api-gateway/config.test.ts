import { describe, expect, it } from 'vitest';
import { loadGatewayConfig, loadGatewayProcessConfig } from './config.ts';

describe('loadGatewayConfig', () => {
  it('raises the default body budgets to the maximum body size and rejects a smaller setting', () => {
    const largest = { TRIFOLD_MAX_BATCH_BODY: '200Mi' };
    expect(loadGatewayConfig(largest)).toMatchObject({
      keyBodyBudgetBytes: 200 * 1024 * 1024,
      bodyBudgetBytes: 200 * 1024 * 1024,
    });
    const read = () => loadGatewayConfig({ ...largest, TRIFOLD_BODY_BUDGET: '199Mi' });
    expect(read).toThrow('TRIFOLD_BODY_BUDGET must be at least 209715200 bytes');
  });

  it('gives one key half of the body budget, but at least the maximum body size', () => {
    const read = (budget: string) => loadGatewayConfig({ TRIFOLD_BODY_BUDGET: budget }).keyBodyBudgetBytes;
    expect([read('100Mi'), read('20Mi')]).toEqual([50 * 1024 * 1024, 16 * 1024 * 1024]);
  });

  it('reads the addresses that webhooks may reach', () => {
    const { outbound } = loadGatewayConfig({
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '10.96.0.0/12',
      TRIFOLD_DENY_ADDRESSES: '203.0.113.0/24',
      TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
    });
    const range = { address: '10.96.0.0', prefix: 12, family: 'ipv4' };
    const denied = { address: '203.0.113.0', prefix: 24, family: 'ipv4' };
    expect(outbound).toEqual({ allowAddresses: [range], denyAddresses: [denied], allowHttp: true });
  });
});

describe('loadGatewayProcessConfig', () => {
  const GIVEN = {
    TRIFOLD_REDIS_URL: 'redis://redis',
    TRIFOLD_S3_ENDPOINT: 'http://minio:9000',
    TRIFOLD_S3_ACCESS_KEY: 'access',
    TRIFOLD_S3_SECRET_KEY: 'a-secret-key',
  };

  it('requires only the connection settings of the servers', () => {
    const config = loadGatewayProcessConfig(GIVEN);
    expect(config).toMatchObject({
      service: { host: '::', logLevel: 'info' },
      port: 8080,
      closeDelayMs: 5_000,
      gateway: loadGatewayConfig({}),
      store: { bucket: 'trifold' },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads the Redis settings only if there is a rate limit', () => {
    expect(loadGatewayProcessConfig(GIVEN).redis).toBeUndefined();
    const counting = { ...GIVEN, TRIFOLD_RATE_LIMIT: '600/1m' };
    const expected = { nodes: [{ host: 'redis' }], prefix: 'trifold' };
    expect(loadGatewayProcessConfig(counting).redis).toMatchObject(expected);
    expect(loadGatewayProcessConfig({ ...counting, TRIFOLD_REDIS_URL: '' }).redis).toBeUndefined();
    expect(() => loadGatewayProcessConfig({ ...counting, TRIFOLD_REDIS_URL: 'redis' })).toThrow(
      'TRIFOLD_REDIS_URL must be redis://',
    );
  });
});
