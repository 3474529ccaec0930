import { describe, expect, it } from 'vitest';
import { loadWebhooksConfig } from './config.ts';

const MINUTE = 60_000;

describe('loadWebhooksConfig', () => {
  it('reads the environment', () => {
    const config = loadWebhooksConfig({
      TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s, 500ms,2m',
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '10.96.0.0/12, fd00::/8',
      TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
      TRIFOLD_WEBHOOK_KEEP_DELIVERED: '10m',
      TRIFOLD_WEBHOOK_KEY: 'n'.repeat(32),
      TRIFOLD_WEBHOOK_PREVIOUS_KEY: 'p'.repeat(32),
      TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: 'documents-system/key',
    });
    expect(config).toMatchObject({
      retrySchedule: [0, 500, 2 * MINUTE],
      allowAddresses: [
        { address: '10.96.0.0', prefix: 12, family: 'ipv4' },
        { address: 'fd00::', prefix: 8, family: 'ipv6' },
      ],
      allowHttp: true,
      keepDeliveredMs: 10 * MINUTE,
      keys: ['n'.repeat(32), 'p'.repeat(32)],
      publishedKey: { namespace: 'documents-system', name: 'key' },
    });
  });

  it('allows at most sixteen attempts', () => {
    const load = (count: number) => () =>
      loadWebhooksConfig({ TRIFOLD_WEBHOOK_RETRY_SCHEDULE: Array(count).fill('1s').join(',') });
    expect(load(16)).not.toThrow();
    expect(load(17)).toThrow(/at most 16 durations/);
  });
});
