import { Queue } from 'bullmq';
import { systemClock, type Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import { nextRound } from '../account-rounds.ts';
import { BullMqLine } from './bullmq-line.ts';
import { BullMqWorker } from './bullmq-worker.ts';
import { FinishedEvents, type FinishedListener } from './finished-events.ts';
import { FINISHED_LIMIT, FINISHED_MS } from '../in-process/finished-tasks.ts';
import {
  RenderQueueError,
  type QueueName,
  type QueueWorker,
  type RenderOutcome,
  type RenderQueue,
  type RenderTask,
  type TaskHandler,
  type TaskState,
  type WorkerOptions,
} from '../port.ts';
import { adviseOnRedis } from '../../redis/redis-advice.ts';
import { RedisClient } from '../../redis/redis-client.ts';
import type { RedisConfig } from '../../redis/redis-config.ts';
import { RedisError } from '../../redis/redis-error.ts';
import { RedisOutages } from '../../redis/redis-outages.ts';
import { storedOutcome } from '../stored-outcome.ts';
import { assertAddable } from '../task-checks.ts';
import { WorkerSlots } from '../worker-slots.ts';

export interface BullMqQueueOptions {
  readonly redis: RedisConfig;
  /** @default the system clock */
  readonly clock?: Clock;
  readonly logger: Logger;
  /**
   * Duration of a task's lock, in milliseconds: how long a dead worker keeps its task. The loss is noticed at most half
   * that time later. A worker whose event loop is blocked for this long is considered dead.
   * @default 20_000
   */
  readonly lockMs?: number;
  /**
   * Interval in milliseconds at which an idle worker polls a queue without a marker: a killed renderer may have popped
   * the marker.
   * @default 5000
   */
  readonly lookAgainMs?: number;
}

const LOCK_MS = 20_000;
const LOOK_AGAIN_MS = 5000;
/** Lock renewals per lock duration; the scan for dead workers runs at the same interval. */
const CHECKS_PER_LOCK = 4;
/** Timeout for a call to get a connection. */
const CONNECTION_MS = 1000;

type BullQueue = Queue<RenderTask, RenderOutcome>;

/**
 * A render queue in Redis, using BullMQ: two queues under one prefix. Jobs hold references, never data. The outcome of
 * a task, including a failed one, is its job's return value. The controller handles retries and dead workers.
 */
export class BullMqQueue implements RenderQueue {
  readonly carriedDataBytes = 0;
  readonly #redis: RedisConfig;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lockMs: number;
  readonly #lookAgainMs: number;
  readonly #outages: RedisOutages;
  readonly #client: RedisClient;
  readonly #queues: Readonly<Record<QueueName, BullQueue>>;
  readonly #finished: FinishedEvents;
  readonly #workers = new Set<BullMqWorker>();
  #closing: Promise<void> | undefined;

  /** Connects in the background. */
  constructor(options: BullMqQueueOptions) {
    const { redis, clock = systemClock, logger, lockMs = LOCK_MS, lookAgainMs = LOOK_AGAIN_MS } = options;
    this.#redis = redis;
    this.#clock = clock;
    this.#logger = logger;
    this.#lockMs = lockMs;
    this.#lookAgainMs = lookAgainMs;
    const outages = new RedisOutages(clock, logger);
    this.#outages = outages;
    const client = new RedisClient(redis, { name: `${redis.prefix}:queue`, outages, clock });
    this.#client = client;
    adviseOnRedis(client, logger);
    this.#queues = { interactive: this.#bullQueue('interactive'), batch: this.#bullQueue('batch') };
    this.#finished = new FinishedEvents({ config: redis, client, outages, clock, logger });
  }

  async add(task: RenderTask): Promise<void> {
    assertAddable(task, this.carriedDataBytes);
    await this.#ask(async () => {
      const priority = await nextRound(this.#client.commands, this.#redis.prefix, task);
      if (priority === undefined) return;
      await this.#queues[task.queue].add('render', task, { jobId: task.id, priority });
    });
  }

  state(id: string, queue?: QueueName): Promise<TaskState> {
    const queues = queue === undefined ? Object.values(this.#queues) : [this.#queues[queue]];
    return this.#ask(async () => {
      const states = await Promise.all(queues.map((one) => stateIn(one, id)));
      return states.find(({ status }) => status !== 'unknown') ?? { status: 'unknown' };
    });
  }

  async remove(id: string): Promise<void> {
    await this.#ask(async () => {
      for (const queue of Object.values(this.#queues)) {
        // BullMQ does not remove active jobs, but it removes finished ones.
        if ((await stateIn(queue, id)).status === 'waiting') await queue.remove(id);
      }
    });
  }

  onFinished(listener: FinishedListener): () => void {
    return this.#finished.listen(listener);
  }

  work(handler: TaskHandler, options: WorkerOptions): QueueWorker {
    this.#assertOpen();
    const checkMs = Math.ceil(this.#lockMs / CHECKS_PER_LOCK);
    const worker = new BullMqWorker({
      handler,
      slots: new WorkerSlots(options),
      clock: this.#clock,
      logger: this.#logger,
      checkMs,
      lines: (wake) => [this.#line('interactive', checkMs, wake), this.#line('batch', checkMs, wake)],
      closed: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    return worker;
  }

  depth(): Promise<Record<QueueName, number>> {
    return this.#ask(async () => {
      const [interactive, batch] = await Promise.all([
        waitingIn(this.#queues.interactive),
        waitingIn(this.#queues.batch),
      ]);
      return { interactive, batch };
    });
  }

  async check(): Promise<void> {
    await this.#ask(() => this.#client.commands.ping());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.close(0)));
    this.#finished.close();
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
    this.#client.close();
  }

  #bullQueue(name: QueueName): BullQueue {
    const kept = { age: FINISHED_MS / 1000, count: FINISHED_LIMIT };
    const queue: BullQueue = new Queue(name, {
      connection: this.#client.commands,
      prefix: this.#redis.prefix,
      // BullMQ does both only once, on the first connection; an error there would be permanent.
      skipVersionCheck: true,
      skipMetasUpdate: true,
      defaultJobOptions: { attempts: 1, removeOnComplete: kept, removeOnFail: kept },
    });
    queue.on('error', (error) => this.#outages.failed(error));
    return queue;
  }

  #line(queue: QueueName, checkMs: number, wake: () => void): BullMqLine {
    return new BullMqLine({
      queue,
      config: this.#redis,
      client: this.#client,
      outages: this.#outages,
      clock: this.#clock,
      lockMs: this.#lockMs,
      checkMs,
      lookAgainMs: this.#lookAgainMs,
      wake,
    });
  }

  /** Runs a Redis operation. Throws RenderQueueError within a few seconds when Redis is unavailable. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    if (!(await this.#client.isReady(CONNECTION_MS))) {
      this.#assertOpen();
      throw new RenderQueueError('unavailable', 'the render queue cannot be reached');
    }
    try {
      return await question();
    } catch (error) {
      this.#assertOpen();
      throw new RenderQueueError('unavailable', 'the render queue does not answer', new RedisError(error));
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw new RenderQueueError('closed', 'the render queue is closed');
  }
}

async function stateIn(queue: BullQueue, id: string): Promise<TaskState> {
  const state = await queue.getJobState(id);
  switch (state) {
    case 'unknown':
      return { status: 'unknown' };
    case 'active':
      return { status: 'active' };
    case 'completed':
    case 'failed': {
      const job = await queue.getJob(id);
      return storedOutcome(job?.returnvalue) ?? { status: 'unknown' };
    }
    default:
      return { status: 'waiting' };
  }
}

async function waitingIn(queue: BullQueue): Promise<number> {
  const counts = await queue.getJobCounts('wait', 'prioritized');
  return (counts['wait'] ?? 0) + (counts['prioritized'] ?? 0);
}
