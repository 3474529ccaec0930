import { expect, it } from 'vitest';
import { loadRendererConfig, loadRendererProcessConfig } from './config.ts';

const GIVEN = {
  TRIFOLD_REDIS_URL: 'redis://redis',
  TRIFOLD_TASK_KEYS: 'the-key-that-seals-the-tasks-in-redis',
};

it('loadRendererProcessConfig requires only the Redis address and the task keys', () => {
  const config = loadRendererProcessConfig(GIVEN);
  expect(config).toMatchObject({
    service: { host: '::', logLevel: 'info' },
    operations: { operationsPort: 9090 },
    drainWaitMs: 70_000,
    renderer: loadRendererConfig({}),
    redis: { nodes: [{ host: 'redis' }] },
    taskKeys: ['the-key-that-seals-the-tasks-in-redis'],
  });
  expect(Object.isFrozen(config)).toBe(true);
});
