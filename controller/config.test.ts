import { expect, it } from 'vitest';
import { loadControllerConfig, loadControllerProcessConfig } from './config.ts';

const GIVEN = {
  TRIFOLD_REDIS_URL: 'redis://redis',
  TRIFOLD_TASK_KEYS: 'the-key-that-seals-the-tasks-in-redis',
  TRIFOLD_S3_ENDPOINT: 'http://minio:9000',
  TRIFOLD_S3_ACCESS_KEY: 'access',
  TRIFOLD_S3_SECRET_KEY: 'a-secret-key',
  TRIFOLD_WEBHOOK_KEY: 'k'.repeat(32),
};

it('loadControllerProcessConfig requires only the server addresses, the webhook key and the task keys', () => {
  const config = loadControllerProcessConfig(GIVEN);
  expect(config).toMatchObject({
    service: { host: '::', logLevel: 'info' },
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
