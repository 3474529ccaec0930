import { ConfigError } from '@trifold/platform/settings/read-settings.ts';
import { describe, expect, it } from 'vitest';
import { loadWebhooksConfig } from './config.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('loadWebhooksConfig', () => {
  it('has the documented schedule and a default for everything', () => {
    expect(loadWebhooksConfig({})).toEqual({
      retrySchedule: [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR],
      allowAddresses: [],
      denyAddresses: [],
      allowHttp: false,
      concurrency: 512,
      endpointConcurrency: 8,
      keepDeliveredMs: 24 * HOUR,
      keepFailedMs: 168 * HOUR,
      keys: [],
      publishedKey: { namespace: 'default', name: 'trifold-webhook-key' },
      spool: { maxPending: 5_000, maxOfAccount: 10_000, share: 100, refillBelow: 4_000, keepMs: 72 * HOUR },
    });
    expect(Object.isFrozen(loadWebhooksConfig({}))).toBe(true);
  });

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

  it('reports all problems together, each with the name of its variable', () => {
    const load = () =>
      loadWebhooksConfig({
        TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,soon',
        TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '10.0.0.0/33',
        TRIFOLD_WEBHOOK_ALLOW_HTTP: 'yes',
        TRIFOLD_WEBHOOK_CONCURRENCY: '1',
      });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/TRIFOLD_WEBHOOK_RETRY_SCHEDULE must be a duration such as/);
    expect(load).toThrow(/TRIFOLD_WEBHOOK_ALLOW_ADDRESSES must be address ranges/);
    expect(load).toThrow(/TRIFOLD_WEBHOOK_ALLOW_HTTP must be one of/);
    expect(load).toThrow(/TRIFOLD_WEBHOOK_CONCURRENCY must be a whole number/);
  });

  it('allows at most sixteen attempts', () => {
    const load = (count: number) => () =>
      loadWebhooksConfig({ TRIFOLD_WEBHOOK_RETRY_SCHEDULE: Array(count).fill('1s').join(',') });
    expect(load(16)).not.toThrow();
    expect(load(17)).toThrow(/at most 16 durations/);
  });
});
