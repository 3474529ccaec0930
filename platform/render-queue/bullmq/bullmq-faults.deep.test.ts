import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { Job, QueueKeys } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePorts } from '@trifold/test-support/processes/free-ports.ts';
import { RedisServer, whyNoRedis, type RedisServerOptions } from '@trifold/test-support/processes/redis.ts';
import { createLogger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { BullMqQueue, type BullMqQueueOptions } from './bullmq-queue.ts';
import { HeldTasks } from '../conformance/held-tasks.ts';
import { COMPLETED, TASK_KEYS, taskNamed } from '../conformance/sample-tasks.ts';
import { RenderQueueError, type RenderOutcome, type RenderQueue } from '../port.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';
import { WorkerProcess } from '../testing/worker-process-handle.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the tests of what Redis may do to the queue are skipped: ${missing}`);

/** Everything that a test starts; cleaned up after the test. */
class Scene {
  readonly prefix = randomUUID();
  readonly log: string[] = [];
  readonly #ends: (() => Promise<void>)[] = [];

  async redis(options?: RedisServerOptions): Promise<RedisServer> {
    const redis = await RedisServer.start(options);
    this.#ends.push(() => redis.stop());
    return redis;
  }

  /** A Redis server and a queue in it. */
  async open(options?: Partial<BullMqQueueOptions>): Promise<{ redis: RedisServer; queue: BullMqQueue }> {
    const redis = await this.redis();
    return { redis, queue: this.queue(redis.url, options) };
  }

  queue(url: string, options: Partial<BullMqQueueOptions> & { password?: string } = {}): BullMqQueue {
    const { password: TRIFOLD_REDIS_PASSWORD, ...others } = options;
    const environment = { TRIFOLD_REDIS_URL: url, TRIFOLD_REDIS_PREFIX: this.prefix };
    const destination = new Writable({
      write: (line: Buffer, _encoding, done) => {
        this.log.push(line.toString());
        done();
      },
    });
    const queue = new BullMqQueue({
      taskKeys: TASK_KEYS,
      redis: loadRedisConfig({ ...environment, TRIFOLD_REDIS_PASSWORD }),
      logger: createLogger({ name: 'test', level: 'debug', destination }),
      ...others,
    });
    this.#ends.push(() => queue.close());
    return queue;
  }

  async worker(url: string, lockMs: number): Promise<WorkerProcess> {
    const worker = await WorkerProcess.start(url, this.prefix, lockMs);
    this.#ends.push(() => worker.kill());
    return worker;
  }

  said(text: string): number {
    return this.log.filter((line) => line.includes(text)).length;
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}

const UNAVAILABLE = { name: 'RenderQueueError', code: 'unavailable', retryable: true };
const unavailable = expect.objectContaining(UNAVAILABLE);

const becomes = (queue: RenderQueue, id: string, state: object) =>
  eventually(async () => expect(await queue.state(id)).toMatchObject(state));
const untilActive = (held: HeldTasks, ...ids: string[]) =>
  eventually(() => expect(held.active.toSorted()).toEqual(ids.toSorted()));
/** Adds the tasks and waits until the first one runs. */
const begin = async (held: HeldTasks, queue: RenderQueue, first: string, ...others: string[]) => {
  for (const id of [first, ...others]) await queue.add(taskNamed(id));
  await untilActive(held, first);
};
/** Finishes each task when it runs. */
const finishInTurn = async (held: HeldTasks, ...ids: string[]) => {
  for (const id of ids) {
    await untilActive(held, id);
    held.finish(id);
  }
};

describe.skipIf(missing)('A BullMQ render queue', () => {
  let scene: Scene;
  let held: HeldTasks;
  beforeEach(() => {
    scene = new Scene();
    held = new HeldTasks();
  });
  afterEach(() => scene.end());
  /** Waits until BullMQ has noticed that the lock of the task `slow-1` expired. */
  const lockExpired = async (redis: RedisServer) => {
    const key = new QueueKeys(scene.prefix).toKey('interactive', 'slow-1');
    await eventually(async () => expect(await redis.command(`HEXISTS ${key} defa`)).toContain('1'));
  };

  describe('during a Redis outage', () => {
    const allRejected = async (queue: RenderQueue) => {
      const responses = await Promise.allSettled([
        queue.add(taskNamed('one-1')),
        queue.state('one-1'),
        queue.remove('one-1'),
        queue.depth(),
        queue.check(),
      ]);
      for (const response of responses) expect(response).toEqual({ status: 'rejected', reason: unavailable });
    };

    it('rejects every call if Redis was never available, and can be closed', async () => {
      const [port] = await freePorts(1);
      const queue = scene.queue(`redis://127.0.0.1:${port}`);
      const worker = queue.work(held.handler, { concurrency: 1 });
      queue.onFinished(() => undefined);
      await allRejected(queue);
      await worker.close(60_000);
      await queue.close();
      await expect(queue.check()).rejects.toThrow(RenderQueueError);
    });

    it('starts when Redis becomes available later', async () => {
      const redis = await scene.redis();
      await redis.kill();
      const queue = scene.queue(redis.url);
      const told = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      queue.onFinished(told);
      queue.work(async () => COMPLETED, { concurrency: 1 });
      await expect(queue.check()).rejects.toEqual(unavailable);
      await redis.start();
      await eventually(() => queue.add(taskNamed('one-1')));
      await eventually(() => expect(told).toHaveBeenCalledWith('one-1', COMPLETED));
    });

    it('rejects every call after Redis is killed, logs it once and recovers when Redis is available again', async () => {
      const { redis, queue } = await scene.open();
      const told = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      queue.onFinished(told);
      queue.work(held.handler, { concurrency: 2 });
      await begin(held, queue, 'busy-1');
      await redis.kill();
      await allRejected(queue);
      expect(held.signals.get('busy-1')?.aborted).toBe(false);
      await redis.start();
      await eventually(() => queue.check());
      // Redis restarted empty: the result is in the object store, and the slot must become free.
      expect(await queue.state('busy-1')).toEqual({ status: 'unknown' });
      held.finish('busy-1');
      for (const id of ['next-1', 'next-2']) await queue.add(taskNamed(id));
      await untilActive(held, 'next-1', 'next-2');
      held.finish('next-1');
      held.finish('next-2');
      await eventually(() => expect(told.mock.calls.map(([id]) => id)).toContain('next-2'));
      expect(scene.said('Redis is unavailable')).toBe(1);
      expect(scene.said('Redis is available again')).toBe(1);
    });

    it('keeps waiting and active tasks if Redis persists them', async () => {
      const redis = await scene.redis({ appendOnly: true });
      const queue = scene.queue(redis.url);
      queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'busy-1', 'waits-1', 'waits-2');
      await redis.kill();
      held.finish('busy-1');
      await redis.start();
      await finishInTurn(held, 'waits-1', 'waits-2');
      await becomes(queue, 'waits-2', { status: 'completed' });
      expect(await queue.state('busy-1')).toEqual(COMPLETED);
      expect(held.taken).toEqual(['busy-1', 'waits-1', 'waits-2']);
    });

    it('does not wait for a silent Redis', async () => {
      const { redis, queue } = await scene.open();
      const worker = queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'busy-1');
      redis.pause();
      try {
        await allRejected(queue);
        await worker.close(0);
      } finally {
        redis.resume();
      }
      await eventually(() => queue.check());
    });

    it('reports an outcome when Redis is available again', async () => {
      const { redis, queue } = await scene.open();
      queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'busy-1');
      await redis.command('CONFIG SET maxmemory 1');
      await expect(queue.add(taskNamed('more-1'))).rejects.toEqual(unavailable);
      held.finish('busy-1');
      await redis.command('CONFIG SET maxmemory 0');
      await becomes(queue, 'busy-1', COMPLETED);
    });
  });

  describe('after Redis loses its data', () => {
    it('ends active tasks, frees their slots and runs new tasks', async () => {
      const { redis, queue } = await scene.open();
      const told = vi.fn<(id: string) => void>();
      queue.onFinished(told);
      queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'busy-1', 'waits-1', 'waits-2');
      await redis.flushAll();
      for (const id of ['busy-1', 'waits-1']) expect(await queue.state(id)).toEqual({ status: 'unknown' });
      for (const id of ['waits-1', 'waits-2']) await queue.add(taskNamed(id));
      held.finish('busy-1');
      await finishInTurn(held, 'waits-1', 'waits-2');
      await eventually(() => expect(told).toHaveBeenCalledWith('waits-2', COMPLETED));
      expect(await queue.state('busy-1')).toEqual({ status: 'unknown' });
      expect(held.taken).toEqual(['busy-1', 'waits-1', 'waits-2']);
    });

    it('does not restart a task that the same worker is still running', async () => {
      const { redis, queue } = await scene.open();
      queue.work(held.handler, { concurrency: 2 });
      await begin(held, queue, 'busy-1');
      await redis.flushAll();
      await queue.add(taskNamed('busy-1'));
      await becomes(queue, 'busy-1', { status: 'active' });
      await queue.add(taskNamed('next-1'));
      await untilActive(held, 'busy-1', 'next-1');
      held.finish('busy-1');
      held.finish('next-1');
      await becomes(queue, 'busy-1', COMPLETED);
      expect(held.taken).toEqual(['busy-1', 'next-1']);
    });

    it('wakes an idle worker', async () => {
      const { redis, queue } = await scene.open();
      queue.work(held.handler, { concurrency: 2 });
      await begin(held, queue, 'first-1');
      held.finish('first-1');
      await becomes(queue, 'first-1', COMPLETED);
      await redis.flushAll();
      await queue.add(taskNamed('second-1', 'batch'));
      await finishInTurn(held, 'second-1');
    });
  });

  describe('with several renderers', () => {
    it('fails the tasks of a killed renderer as retryable, and another renderer has capacity for them', async () => {
      const { redis, queue } = await scene.open({ lockMs: 400 });
      const told = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      queue.onFinished(told);
      const doomed = await scene.worker(redis.url, 400);
      for (const id of ['doomed-1', 'doomed-2']) await queue.add(taskNamed(id));
      await eventually(() => expect(doomed.begun.toSorted()).toEqual(['doomed-1', 'doomed-2']));
      await doomed.kill();
      queue.work(held.handler, { concurrency: 1 });
      const lost = { status: 'failed', failure: { code: 'renderer_lost', retryable: true } };
      await becomes(queue, 'doomed-1', lost);
      await becomes(queue, 'doomed-2', lost);
      await eventually(() => expect(told).toHaveBeenCalledTimes(2));
      expect(told.mock.calls.map(([id]) => id).toSorted()).toEqual(['doomed-1', 'doomed-2']);
      for (const [, outcome] of told.mock.calls) expect(outcome).toMatchObject(lost);
      await begin(held, queue, 'doomed-3');
      expect(held.taken).toEqual(['doomed-3']);
      held.finish('doomed-3');
    });

    it('fails the exclusive task of a killed renderer only if it had started', async () => {
      const { redis, queue } = await scene.open({ lockMs: 2000 });
      const alone = { ...taskNamed('alone-1'), exclusive: true };
      const holding = await scene.worker(redis.url, 2000);
      await queue.add(taskNamed('killer-1'));
      await eventually(() => expect(holding.begun).toEqual(['killer-1']));
      await queue.add(alone);
      await becomes(queue, 'alone-1', { status: 'active' });
      await holding.kill();

      const running = await scene.worker(redis.url, 2000);
      await eventually(() => expect(running.begun).toEqual(['alone-1']));
      await running.kill();

      queue.work(held.handler, { concurrency: 2 });
      const lost = { status: 'failed', failure: { code: 'renderer_lost', retryable: true } };
      for (const id of ['killer-1', 'alone-1']) await becomes(queue, id, lost);
      expect(held.taken).toEqual([]);
    });

    it('resets the start of an exclusive task that is returned to the queue', async () => {
      const { redis, queue } = await scene.open({ lockMs: 2000 });
      const leaving = await scene.worker(redis.url, 2000);
      await queue.add({ ...taskNamed('alone-1'), exclusive: true });
      await eventually(() => expect(leaving.begun).toEqual(['alone-1']));
      const holding = await scene.worker(redis.url, 2000);
      await queue.add(taskNamed('killer-1'));
      await eventually(() => expect(holding.begun).toEqual(['killer-1']));
      await leaving.stop();
      await becomes(queue, 'alone-1', { status: 'active' });
      await holding.kill();

      queue.work(held.handler, { concurrency: 2 });
      await finishInTurn(held, 'alone-1');
      await becomes(queue, 'alone-1', COMPLETED);
    });

    it('keeps a long task in a live renderer', async () => {
      const { redis, queue } = await scene.open({ lockMs: 6000 });
      queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'long-1');
      // Another task is lost and recovered in the meantime, so a lock duration has passed.
      const doomed = await scene.worker(redis.url, 6000);
      await queue.add(taskNamed('doomed-1'));
      await eventually(() => expect(doomed.begun).toEqual(['doomed-1']));
      await doomed.kill();
      const other = scene.queue(redis.url, { lockMs: 6000 });
      other.work(async () => COMPLETED, { concurrency: 1 });
      await becomes(queue, 'doomed-1', { status: 'failed' });
      expect(await queue.state('long-1')).toEqual({ status: 'active' });
      held.finish('long-1');
      await becomes(queue, 'long-1', COMPLETED);
    });

    it('frees the slot of a renderer that was wrongly considered dead', async () => {
      const redis = await scene.redis();
      // Its timers never fire, as if its event loop were blocked.
      const frozen = scene.queue(redis.url, { lockMs: 300, clock: new FakeClock() });
      await eventually(() => frozen.check());
      frozen.work(held.handler, { concurrency: 1 });
      await begin(held, frozen, 'slow-1');
      const queue = scene.queue(redis.url, { lockMs: 300 });
      const worker = queue.work(async () => COMPLETED, { concurrency: 1 });
      await becomes(queue, 'slow-1', { status: 'failed', failure: { code: 'renderer_lost' } });
      await worker.close(0);
      held.finish('slow-1');
      await begin(held, queue, 'next-1');
      expect(await queue.state('slow-1')).toMatchObject({ status: 'failed' });
      held.finish('next-1');
      await becomes(queue, 'next-1', COMPLETED);
    });

    it('continues a task whose lock expired if the same renderer gets it again', async () => {
      const redis = await scene.redis();
      // Does not renew its locks, as if its event loop were blocked; BullMQ's own timer then returns the task to the
      // queue.
      const queue = scene.queue(redis.url, { lockMs: 300, clock: new FakeClock() });
      await eventually(() => queue.check());
      queue.work(held.handler, { concurrency: 2 });
      await begin(held, queue, 'slow-1');
      await lockExpired(redis);
      await becomes(queue, 'slow-1', { status: 'active' });
      expect(held.taken).toEqual(['slow-1']);
      held.finish('slow-1');
      await becomes(queue, 'slow-1', COMPLETED);
    });
  });

  it.each([
    [
      'because the connection broke',
      async () => {
        const report = vi.spyOn(Job.prototype, 'moveToCompleted');
        report.mockRejectedValueOnce(new Error('Connection is closed.'));
        held.finish('slow-1');
        await eventually(() => expect(report).toHaveBeenCalled());
        report.mockRestore();
      },
    ],
    [
      'because its lock had expired',
      async (redis: RedisServer) => {
        await lockExpired(redis);
        held.finish('slow-1');
      },
    ],
  ])(
    'fails a task as lost, not as unreadable, if its renderer could not report its outcome: %s',
    async (_reason, fail) => {
      const redis = await scene.redis();
      // Does not renew its locks or retry its reports until the clock moves.
      const clock = new FakeClock();
      const queue = scene.queue(redis.url, { lockMs: 300, clock });
      await eventually(() => queue.check());
      queue.work(held.handler, { concurrency: 1 });
      await begin(held, queue, 'slow-1');
      await fail(redis);
      scene.queue(redis.url, { lockMs: 300 }).work(held.handler, { concurrency: 1 });
      await becomes(queue, 'slow-1', { status: 'failed', failure: { code: 'renderer_lost' } });
      expect(held.taken).toEqual(['slow-1']);
      clock.advance(1000);
    },
  );

  describe('with a Redis password', () => {
    it('reports a wrong password without quoting it', async () => {
      const redis = await scene.redis({ password: 'the-right-one' });
      const queue = scene.queue(redis.url, { password: 'hunter2-wrong' });
      queue.onFinished(() => undefined);
      queue.work(held.handler, { concurrency: 1 });
      await expect(queue.check()).rejects.toEqual(unavailable);
      await eventually(() => expect(scene.log.join('')).toContain('WRONGPASS'));
      expect(scene.log.join('')).not.toContain('hunter2');
    });

    it('does not include the command in its errors', async () => {
      const { redis, queue } = await scene.open();
      await queue.check();
      await redis.command('CONFIG SET maxmemory 1');
      const options = { header: { content: 'for Jane Doe only' } } as object;
      const adding = queue.add({ ...taskNamed('one-1'), options });
      const failure = await adding.then(() => undefined).catch((error: unknown) => error);
      expect(failure).toEqual(unavailable);
      const { cause } = failure as RenderQueueError;
      expect(cause).toMatchObject({ name: 'RedisError', code: 'OOM' });
      expect(Object.keys(cause as object)).toEqual(expect.not.arrayContaining(['command']));
      expect(JSON.stringify(cause)).not.toContain('Jane');
    });
  });

  it('forgets a task if Redis contains only its ID, and continues', async () => {
    const { redis, queue } = await scene.open();
    await queue.add(taskNamed('evicted-1'));
    await queue.add(taskNamed('next-1'));
    await redis.command(`DEL ${new QueueKeys(scene.prefix).toKey('interactive', 'evicted-1')}`);
    queue.work(held.handler, { concurrency: 1 });
    await untilActive(held, 'next-1');
    await becomes(queue, 'evicted-1', { status: 'unknown' });
    expect(held.taken).toEqual(['next-1']);
    held.finish('next-1');
  });

  it('warns about a Redis that may evict tasks', async () => {
    const redis = await scene.redis({ settings: { 'maxmemory-policy': 'allkeys-lru' } });
    const queue = scene.queue(redis.url);
    await queue.check();
    await eventually(() => expect(scene.said('allkeys-lru')).toBe(1));
  });
});
