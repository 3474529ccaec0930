import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisServer, whyNoRedis } from '../../test/support/redis.ts';
import { createLogger } from '../logging.ts';
import { BullMqQueue } from './bullmq-queue.ts';
import { loadRedisConfig } from './redis-config.ts';
import { describeRenderQueue } from './render-queue-conformance.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the tests of the queue in Redis are skipped: ${missing}`);

describe.skipIf(missing)('with a real Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis?.stop());

  describeRenderQueue('BullMQ on Redis', async () => {
    const queue = new BullMqQueue({
      redis: loadRedisConfig({ TRIFOLD_REDIS_URL: redis.url, TRIFOLD_REDIS_PREFIX: randomUUID() }),
      logger: createLogger({ name: 'test', level: 'warn' }),
    });
    return { queue, close: () => queue.close() };
  });
});
