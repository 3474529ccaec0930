import { ConfigError } from '@trifold/platform/service/config.ts';
import { describe, expect, it } from 'vitest';
import { loadControllerConfig, loadControllerProcessConfig } from './config.ts';
import { loadWebhooksConfig } from './webhooks/config.ts';

describe('loadControllerConfig', () => {
  it('has a default for everything', () => {
    expect(loadControllerConfig({})).toEqual({
      ttlSecondsAfterFinished: 600,
      finishedJobsPerAccount: 500,
      finishedJobs: 5000,
      keptJobsPerAccount: 5000,
      usageIntervalMs: 10_000,
      renderDeadlineMs: 60_000,
      renderAttempts: 2,
      retryDelayMs: 1_000,
      resyncMs: 10_000,
      progressAfterMs: 1_000,
      collectionIntervalMs: 300_000,
      templateVersions: 100,
      webhooks: loadWebhooksConfig({}),
    });
  });

  it('reads the environment and freezes the result', () => {
    const config = loadControllerConfig({
      TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '0',
      TRIFOLD_RENDER_DEADLINE: '90s',
      TRIFOLD_RENDER_ATTEMPTS: '3',
    });
    expect(config).toMatchObject({
      ttlSecondsAfterFinished: 0,
      renderDeadlineMs: 90_000,
      renderAttempts: 3,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports all problems at once, each with the name of its variable', () => {
    const load = () =>
      loadControllerConfig({
        TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '-1',
        TRIFOLD_USAGE_INTERVAL: '0s',
        TRIFOLD_RENDER_DEADLINE: 'soon',
      });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/TRIFOLD_TTL_SECONDS_AFTER_FINISHED must be a whole number from 0 to 86400/);
    expect(load).toThrow(/TRIFOLD_USAGE_INTERVAL must be from 100ms to 10m/);
    expect(load).toThrow(/TRIFOLD_RENDER_DEADLINE must be a duration such as/);
  });
});

describe('loadControllerProcessConfig', () => {
  const GIVEN = {
    TRIFOLD_REDIS_URL: 'redis://redis',
    TRIFOLD_TASK_KEYS: 'the-key-that-seals-the-tasks-in-redis',
    TRIFOLD_S3_ENDPOINT: 'http://minio:9000',
    TRIFOLD_S3_ACCESS_KEY: 'access',
    TRIFOLD_S3_SECRET_KEY: 'a-secret-key',
    TRIFOLD_WEBHOOK_KEY: 'k'.repeat(32),
  };

  it('requires only the addresses of the servers, the key of webhooks and the keys of tasks', () => {
    const config = loadControllerProcessConfig(GIVEN);
    expect(config).toMatchObject({
      service: { host: '0.0.0.0', logLevel: 'info' },
      operations: { operationsPort: 9090 },
      lease: { namespace: undefined, name: 'trifold-controller' },
      controller: loadControllerConfig(GIVEN),
      redis: { nodes: [{ host: 'redis' }] },
      store: { bucket: 'trifold' },
    });
    expect(Object.isFrozen(config)).toBe(true);
    const keyless = { ...GIVEN, TRIFOLD_WEBHOOK_KEY: '' };
    expect(() => loadControllerProcessConfig(keyless)).toThrow('TRIFOLD_WEBHOOK_KEY is missing');
  });

  it('reports the problems of all its sections at once', () => {
    const load = () =>
      loadControllerProcessConfig({
        TRIFOLD_LOG_LEVEL: 'loud',
        TRIFOLD_LEASE_NAME: 'Not A Name',
        TRIFOLD_RENDER_ATTEMPTS: '0',
      });
    for (const variable of [
      'TRIFOLD_LOG_LEVEL',
      'TRIFOLD_LEASE_NAME must be',
      'TRIFOLD_RENDER_ATTEMPTS',
      'TRIFOLD_REDIS_URL',
      'TRIFOLD_S3_ENDPOINT',
      'TRIFOLD_TASK_KEYS must be set',
    ])
      expect(load).toThrow(variable);
  });
});
