import { readFile } from 'node:fs/promises';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { HeldTasks } from '@trifold/platform/render-queue/conformance/held-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { RedisServer, whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesOf, recordedVersions, type RecordedQueue, type RedisEntry } from './recording.ts';

describe.skipIf(whyNoRedis() !== undefined).each(recordedVersions())('The queue of version %s', (version) => {
  it('is emptied by the current workers', async () => {
    const { prefix, taskKeys, waiting, entries } = JSON.parse(
      await readFile(filesOf(version).queue, 'utf8'),
    ) as RecordedQueue;
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    const client = new Redis({ port: server.port });
    for (const entry of entries) await restore(client, entry);
    client.disconnect();
    const environment = { TRIFOLD_REDIS_URL: server.url, TRIFOLD_REDIS_PREFIX: prefix };
    const logger = createLogger({ level: 'silent', name: 'test' });
    const redis = loadRedisConfig(environment);
    const queue = new BullMqQueue({
      redis,
      taskKeys,
      metrics: new Metrics(),
      logger,
      recheckIntervalMs: 100,
    });
    onTestFinished(() => queue.close());
    const held = new HeldTasks();
    queue.work(held.handler, { concurrency: waiting.length });
    await eventually(() => expect(held.active.toSorted()).toEqual(waiting));
    for (const id of waiting) held.finish(id);
    for (const id of waiting) await eventually(async () => (await queue.state(id)).status === 'completed');
  });
});

async function restore(client: Redis, { key, type, content }: RedisEntry): Promise<unknown> {
  switch (type) {
    case 'string':
      return client.set(key, content);
    case 'hash':
      return client.hset(key, content);
    case 'list':
      return client.rpush(key, ...content);
    case 'zset': {
      const scores = content.filter((_, index) => index % 2 === 1);
      return client.zadd(key, ...scores.flatMap((score, index) => [score, content[index * 2] as string]));
    }
  }
}
