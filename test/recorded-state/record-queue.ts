import { createLogger } from '@trifold/platform/process/logging.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { taskNamed, TASK_KEYS } from '@trifold/platform/render-queue/conformance/sample-tasks.ts';
import { RedisServer } from '@trifold/test-support/processes/redis.ts';
import { Redis } from 'ioredis';
import type { RecordedQueue, RedisEntry } from './recording.ts';

const PREFIX = 'trifold';
const FAR = '2999-01-01T00:00:00.000Z';

/** Adds tasks to a real Redis, and returns its content. */
export async function recordQueue(): Promise<RecordedQueue> {
  const server = await RedisServer.start();
  const client = new Redis({ port: server.port });
  const environment = { TRIFOLD_REDIS_URL: server.url, TRIFOLD_REDIS_PREFIX: PREFIX };
  const logger = createLogger({ level: 'silent', name: 'record' });
  const queue = new BullMqQueue({ redis: loadRedisConfig(environment), taskKeys: TASK_KEYS, logger });
  const waiting = ['recorded-1', 'recorded-2'];
  try {
    await queue.check();
    for (const id of waiting) await queue.add({ ...taskNamed(id), expiresAt: FAR });
    const keys = (await client.keys('*')).toSorted();
    const entries = await Promise.all(keys.map((key) => entryOf(client, key)));
    return {
      prefix: PREFIX,
      taskKeys: TASK_KEYS,
      waiting,
      entries: entries.filter((entry) => entry !== undefined),
    };
  } finally {
    await queue.close();
    client.disconnect();
    await server.stop();
  }
}

/** Streams only wake waiting clients, so they are omitted. */
async function entryOf(client: Redis, key: string): Promise<RedisEntry | undefined> {
  const type = await client.type(key);
  switch (type) {
    case 'string':
      return { key, type, content: (await client.get(key)) ?? '' };
    case 'hash':
      return { key, type, content: await client.hgetall(key) };
    case 'list':
      return { key, type, content: await client.lrange(key, 0, -1) };
    case 'zset':
      return { key, type, content: await client.zrange(key, '0', '-1', 'WITHSCORES') };
    case 'stream':
      return undefined;
    default:
      throw new Error(`${key} has the type ${type}`);
  }
}
