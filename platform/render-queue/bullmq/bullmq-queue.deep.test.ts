import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RedisServer, whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import { startRedisCluster, type RedisTopology } from '@trifold/test-support/processes/redis-topology.ts';
import { createLogger } from '../../process/logging.ts';
import { QueueKeys } from 'bullmq';
import { waitingTasksKey } from '../testing/redis-contract.ts';
import { BullMqQueue } from './bullmq-queue.ts';
import { COMPLETED, TASK_KEYS, taskNamed } from '../conformance/sample-tasks.ts';
import type { RenderOutcome } from '../port.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';
import { describeRenderQueue } from '../render-queue-conformance.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the tests of the queue in Redis are skipped: ${missing}`);

/** Workers check for cancelled tasks four times during this period. */
const LOCK_MS = 8000;

describe.skipIf(missing)('A BullMQ render queue with a Redis Cluster', () => {
  let cluster: RedisTopology;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  describeRenderQueue('BullMQ on a Redis Cluster', async () => {
    // Each hash tag has its own server.
    const environment = { ...cluster.environment, TRIFOLD_REDIS_PREFIX: randomUUID() };
    const queue = new BullMqQueue({
      taskKeys: TASK_KEYS,
      redis: loadRedisConfig(environment),
      logger: createLogger({ name: 'test', level: 'silent' }),
      recheckIntervalMs: 300_000,
      lockMs: LOCK_MS,
    });
    return { queue, close: () => queue.close() };
  });
});

describe.skipIf(missing)('A BullMQ render queue with a real Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis?.stop());

  const open = (prefix: string = randomUUID()) =>
    new BullMqQueue({
      taskKeys: TASK_KEYS,
      redis: loadRedisConfig({ TRIFOLD_REDIS_URL: redis.url, TRIFOLD_REDIS_PREFIX: prefix }),
      logger: createLogger({ name: 'test', level: 'silent' }),
      // Longer than any test waits, so that polling cannot replace a missed wake-up.
      recheckIntervalMs: 300_000,
      lockMs: LOCK_MS,
    });

  describeRenderQueue('BullMQ on Redis', async () => {
    const queue = open();
    return { queue, close: () => queue.close() };
  });

  it.each(['interactive', 'batch'] as const)(
    'keeps the waiting tasks of the %s queue under the key that autoscaling reads',
    async (name) => {
      const prefix = randomUUID();
      const queue = open(prefix);
      for (const id of ['one-1', 'two-1', 'three-1']) await queue.add(taskNamed(id, name));
      expect(await redis.command(`ZCARD ${waitingTasksKey(prefix, name)}`)).toBe('3');
      await queue.close();
    },
  );

  it('restarts account rounds when no task is waiting and half of the priorities are used', async () => {
    const prefix = randomUUID();
    const rounds = `${prefix}:interactive:rounds`;
    const queue = open(prefix);
    await redis.command(`HSET ${rounds} acme 2000000 :current 2000000 :newest 2000000`);
    await queue.add(taskNamed('one-1'));
    expect(await redis.command(`HGET ${rounds} acme`)).toBe('2000001');
    queue.work(async () => COMPLETED, { concurrency: 1 });
    await eventually(async () => expect(await redis.command(`EXISTS ${rounds}`)).toBe('0'));
    await queue.add(taskNamed('two-1'));
    expect(await redis.command(`HGET ${rounds} acme`)).toBe('1');
    await queue.close();
  });

  it('shares tasks only with workers that have the same prefix', async () => {
    const prefix = randomUUID();
    const [adds, works, other] = [open(prefix), open(prefix), open()];
    const elsewhere = vi.fn<() => void>();
    other.work(
      async () => {
        elsewhere();
        return COMPLETED;
      },
      { concurrency: 1 },
    );
    const told = vi.fn<(id: string, outcome: RenderOutcome) => void>();
    adds.onFinished(told);
    works.work(async () => COMPLETED, { concurrency: 1 });
    await adds.add(taskNamed('one-1'));
    await eventually(() => expect(told).toHaveBeenCalledWith('one-1', COMPLETED));
    expect(elsewhere).not.toHaveBeenCalled();
    await Promise.all([adds, works, other].map((queue) => queue.close()));
  });

  it('keeps finished tasks for ten minutes, up to the newest 10,000', async () => {
    const prefix = randomUUID();
    const queue = open(prefix);
    await queue.add(taskNamed('one-1'));
    const options = JSON.parse(
      await redis.command(`HGET ${new QueueKeys(prefix).toKey('interactive', 'one-1')} opts`),
    ) as object;
    const kept = { age: 600, count: 10_000 };
    expect(options).toMatchObject({ attempts: 1, removeOnComplete: kept, removeOnFail: kept });
    await queue.close();
  });
});
