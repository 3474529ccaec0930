import { randomUUID } from 'node:crypto';
import { QueueKeys } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { RedisServer, whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import { createLogger } from '../../process/logging.ts';
import { Metrics } from '../../process/metrics.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';
import { COMPLETED, TASK_KEYS, taskNamed } from '../conformance/sample-tasks.ts';
import { HeldTasks } from '../conformance/held-tasks.ts';
import { describeRenderQueue } from '../render-queue-conformance.ts';
import { workerPermissions } from '../testing/redis-contract.ts';
import { BullMqQueue, type BullMqQueueOptions } from './bullmq-queue.ts';
import { TaskSeal } from './task-seal.ts';

const NEWER = 'another-key-that-only-tests-of-the-queue-use';
const USER = { TRIFOLD_REDIS_USERNAME: 'renderer', TRIFOLD_REDIS_PASSWORD: 'password-of-renderers' };

const missing = whyNoRedis();
if (missing) console.warn(`the tests of sealed tasks in Redis are skipped: ${missing}`);

describe.skipIf(missing)('Sealed tasks in a real Redis', () => {
  let redis: RedisServer;
  let prefix: string;
  let metrics: Metrics;
  let held: HeldTasks;
  let client: Redis;
  let ends: (() => unknown)[];
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis?.stop());
  beforeEach(() => {
    prefix = randomUUID();
    metrics = new Metrics();
    held = new HeldTasks();
    ends = [];
    client = connect();
  });
  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const connect = (user: { username?: string; password?: string } = {}) => {
    const connection = new Redis({ port: redis.port, ...user });
    ends.push(() => connection.disconnect());
    return connection;
  };

  const open = (options: Partial<BullMqQueueOptions> = {}, environment: Record<string, string> = {}) => {
    const queue = new BullMqQueue({
      redis: loadRedisConfig({
        TRIFOLD_REDIS_URL: redis.url,
        TRIFOLD_REDIS_PREFIX: prefix,
        ...environment,
      }),
      taskKeys: TASK_KEYS,
      logger: createLogger({ name: 'test', level: 'silent' }),
      ...options,
    });
    ends.push(() => queue.close());
    return queue;
  };
  const work = (options?: Partial<BullMqQueueOptions>) => {
    const queue = open({ metrics, ...options });
    queue.work(held.handler, { concurrency: 2 });
    return queue;
  };
  const keyPath = (id: string) => new QueueKeys(prefix).toKey('interactive', id);
  const rejected = async (reason: string) => {
    const line = new RegExp(`^trifold_renderer_rejected_tasks_total{reason="${reason}"} (\\d+)$`, 'm');
    return Number(line.exec(await metrics.render())?.[1] ?? 0);
  };
  const becomes = (queue: BullMqQueue, id: string, state: object) =>
    eventually(async () => expect(await queue.state(id)).toMatchObject(state), { timeoutMs: 20_000 });

  it.each([
    ['of an earlier release', taskNamed('one-1')],
    ['moved from another ID', new TaskSeal(TASK_KEYS).sealTask(taskNamed('two-1'))],
    ['sealed with an unknown key', new TaskSeal([NEWER]).sealTask(taskNamed('one-1'))],
  ])('a task that is %s prints nothing, is counted and can be added again', async (_, data) => {
    const adds = open();
    await adds.add(taskNamed('one-1'));
    await client.hset(keyPath('one-1'), 'data', JSON.stringify(data));
    work();
    await eventually(async () => expect(await rejected('unreadable')).toBe(1), { timeoutMs: 20_000 });
    await becomes(adds, 'one-1', { status: 'unknown' });
    expect(held.taken).toEqual([]);
    await adds.add(taskNamed('one-1'));
    await eventually(() => expect(held.active).toEqual(['one-1']), { timeoutMs: 20_000 });
    held.finish('one-1');
    await becomes(adds, 'one-1', COMPLETED);
  });

  it('a task that no renderer started in time prints nothing, is counted and can be added again', async () => {
    const adds = open();
    await adds.add({ ...taskNamed('late-1'), expiresAt: new Date(Date.now() - 1).toISOString() });
    work();
    await eventually(async () => expect(await rejected('expired')).toBe(1), { timeoutMs: 20_000 });
    await becomes(adds, 'late-1', { status: 'unknown' });
    expect(held.taken).toEqual([]);
    await adds.add({ ...taskNamed('late-1'), expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    await eventually(() => expect(held.active).toEqual(['late-1']), { timeoutMs: 20_000 });
    held.finish('late-1');
  });

  it('an outcome that was forged or sealed with an unknown key is ignored', async () => {
    const adds = open();
    const told: string[] = [];
    adds.onFinished((id) => told.push(id));
    work();
    await adds.add(taskNamed('one-1'));
    await eventually(() => expect(held.active).toEqual(['one-1']), { timeoutMs: 20_000 });
    held.finish('one-1');
    await eventually(() => expect(told).toEqual(['one-1']), { timeoutMs: 20_000 });
    const forged = JSON.stringify(COMPLETED);
    await client.hset(keyPath('one-1'), 'returnvalue', forged);
    const event = ['event', 'completed', 'jobId', 'two-1', 'returnvalue', forged];
    await client.xadd(keyPath('events'), '*', ...event);
    expect(await adds.state('one-1')).toEqual({ status: 'unknown' });
    await adds.add(taskNamed('three-1'));
    await eventually(() => expect(held.active).toEqual(['three-1']), { timeoutMs: 20_000 });
    held.finish('three-1');
    await eventually(() => expect(told).toEqual(['one-1', 'three-1']), { timeoutMs: 20_000 });
  });

  it('survive a key rotation, in whatever order the processes get the key', async () => {
    const adds = open({ taskKeys: [NEWER, ...TASK_KEYS] });
    const stale = work();
    await adds.add(taskNamed('one-1'));
    await becomes(adds, 'one-1', { status: 'unknown' });
    await stale.close();
    work({ metrics: new Metrics(), taskKeys: [NEWER, ...TASK_KEYS] });
    const before = open();
    await before.add(taskNamed('two-1'));
    await adds.add(taskNamed('one-1'));
    await eventually(() => expect(held.active.toSorted()).toEqual(['one-1', 'two-1']), { timeoutMs: 20_000 });
    for (const id of held.active) held.finish(id);
    await becomes(adds, 'two-1', COMPLETED);
    await becomes(adds, 'one-1', COMPLETED);
  });

  describe("for the renderers' Redis user", () => {
    const allow = () => {
      const { TRIFOLD_REDIS_USERNAME: user, TRIFOLD_REDIS_PASSWORD: password } = USER;
      const rules = workerPermissions(prefix).split(' ');
      return client.acl('SETUSER', user, 'reset', 'on', `>${password}`, ...rules);
    };

    describeRenderQueue('BullMQ, whose workers have a user of their own,', async () => {
      await allow();
      const adds = open();
      const works = open({ recheckIntervalMs: 300_000 }, USER);
      // Calls every other method the way a controller does.
      const queue = new Proxy<BullMqQueue>(adds, {
        get(_target, name: keyof BullMqQueue) {
          const value = name === 'work' ? works.work.bind(works) : adds[name];
          return typeof value === 'function' ? value.bind(adds) : value;
        },
      });
      const close = async () => void (await Promise.all([works.close(), adds.close()]));
      return { queue, close };
    });

    it('other keys and commands are out of reach', async () => {
      await allow();
      const { TRIFOLD_REDIS_USERNAME: username, TRIFOLD_REDIS_PASSWORD: password } = USER;
      const renderer = connect({ username, password });
      const own = keyPath('own');
      expect(await renderer.set(own, 'x')).toBe('OK');
      for (const line of [
        `GET ${prefix}:rates`,
        `EVAL return(redis.call('GET','${prefix}:rates')) 1 ${own}`,
        'KEYS *',
        'SCAN 0',
        'FLUSHALL',
        'CONFIG GET *',
        'CLIENT LIST',
        'ACL LIST',
        'SCRIPT FLUSH',
        'PUBLISH channel x',
        'MONITOR',
      ]) {
        const [command = '', ...words] = line.split(' ');
        await expect(renderer.call(command, ...words), line).rejects.toThrow(/NOPERM|can't access/);
      }
    });
  });
});
