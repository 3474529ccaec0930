import { randomUUID } from 'node:crypto';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { TASK_KEYS } from '@trifold/platform/render-queue/conformance/sample-tasks.ts';
import { QUEUE_NAMES } from '@trifold/platform/render-queue/port.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { RedisServer, whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import { expect, it, onTestFinished } from 'vitest';
import { RendererFixture } from './testing/renderer-fixture.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the test of fair slots is skipped: ${missing}`);

/** Takes longer than the deadline of a document, in time that grows with the square of the number of paragraphs. */
const ENDLESS = { html: '<p>Paragraph</p>'.repeat(60_000), css: 'p:has(~ p.missing) { color: red }' };

it.skipIf(missing)(
  'renders documents of an account while another account holds every browser and every slot of the queue in Redis',
  async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const queue = new BullMqQueue({
      taskKeys: TASK_KEYS,
      redis: loadRedisConfig({ TRIFOLD_REDIS_URL: redis.url, TRIFOLD_REDIS_PREFIX: randomUUID() }),
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
    const fixture = await RendererFixture.start({ browsers: 2 }, undefined, undefined, queue);
    onTestFinished(() => fixture.close());
    const greedy = [];
    for (const name of [
      'asynchronous',
      'asynchronous',
      'interactive',
      'interactive',
      'interactive',
    ] as const) {
      const task = await fixture.order(ENDLESS, { account: 'greedy', queue: name });
      await eventually(async () => expect(await fixture.status(task)).toBe('active'));
      greedy.push(task);
    }
    for (let more = 0; more < 10; more += 1)
      greedy.push(await fixture.order(ENDLESS, { account: 'greedy', queue: 'asynchronous' }));

    for (const name of [...QUEUE_NAMES, ...QUEUE_NAMES]) {
      const outcome = await fixture.render({ html: '<p>One page</p>' }, { account: 'modest', queue: name });
      expect(outcome).toMatchObject({ status: 'completed' });
    }
    const statuses = await Promise.all(greedy.map((task) => fixture.status(task)));
    expect(new Set(statuses)).toEqual(new Set(['active', 'waiting']));
  },
);
