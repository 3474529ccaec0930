import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import {
  startRedisCluster,
  startRedisWithSentinels,
  type RedisTopology,
} from '@trifold/test-support/processes/redis-topology.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';
import type { Priority } from '../../scheduling/priority.ts';
import { createLogger } from '../../process/logging.ts';
import { COMPLETED, TASK_KEYS, taskNamed } from '../conformance/sample-tasks.ts';
import { QUEUE_NAMES } from '../port.ts';
import { BullMqQueue } from './bullmq-queue.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the tests of a failover of Redis are skipped: ${missing}`);

const logger = createLogger({ name: 'test', level: 'silent' });
const WAIT = { timeoutMs: 90_000 };

describe.skipIf(missing).each([
  ['Sentinel', startRedisWithSentinels],
  ['a Redis Cluster', startRedisCluster],
])('A BullMQ render queue with %s', (_name, start) => {
  let redis: RedisTopology;
  beforeAll(async () => {
    redis = await start();
  });
  afterAll(() => redis?.stop());

  it('loses no tasks when the master is demoted, is killed or hangs', async () => {
    const config = loadRedisConfig(redis.environment);
    const [adds, works] = [0, 1].map(
      () => new BullMqQueue({ redis: config, taskKeys: TASK_KEYS, logger, lockMs: 5000 }),
    ) as [BullMqQueue, BullMqQueue];
    const unfinished = new Map<string, Priority>();
    const told = new Set<string>();
    adds.onFinished((id) => told.add(id));
    works.work(async () => COMPLETED, { concurrency: 4 });

    /** Looks up the unfinished tasks and adds the ones that the queue does not know, as the controller does. */
    const lookUp = async () => {
      const tasks = [...unfinished];
      await Promise.allSettled(
        tasks.map(async ([id, queue]) => {
          const { status } = await adds.state(id, queue);
          if (status === 'unknown') await adds.add(taskNamed(id, queue));
          else if (status !== 'waiting' && status !== 'active') unfinished.delete(id);
        }),
      );
    };
    const ending = new AbortController();
    let added = 0;
    const load = (async () => {
      for (; !ending.signal.aborted; added += 1) {
        for (const queue of QUEUE_NAMES) unfinished.set(`${queue}-${added}`, queue);
        await lookUp();
        // Calls can fail immediately, before the client sees that its connection is closed.
        await setImmediate();
      }
    })();
    /** Resolves when each queue has reported a task added after this call. */
    const everyQueueWorks = async () => {
      const first = added + 1;
      const latest = (queue: Priority) => Math.max(...[...told].map((id) => numberIn(id, queue)));
      await eventually(() => QUEUE_NAMES.every((queue) => latest(queue) >= first), WAIT);
    };
    try {
      await everyQueueWorks();
      for (const how of ['demote', 'kill', 'pause'] as const) {
        await redis.failOver(how);
        await everyQueueWorks();
      }
      ending.abort();
      await load;
      await eventually(async () => {
        await lookUp();
        return unfinished.size === 0;
      }, WAIT);
    } finally {
      ending.abort();
      await Promise.all([adds.close(), works.close()]);
    }
  }, 300_000);
});

/** Number of a task in this queue; 0 for tasks in other queues. */
function numberIn(id: string, queue: Priority): number {
  return id.startsWith(`${queue}-`) ? Number(id.slice(queue.length + 1)) : 0;
}
