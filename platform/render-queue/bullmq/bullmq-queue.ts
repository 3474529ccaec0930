import { INLINE_DATA_LIMIT } from '@trifold/crds';
import { Queue } from 'bullmq';
import type { Counter } from 'prom-client';
import { systemClock, type Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import type { Metrics } from '../../process/metrics.ts';
import { byPriority, type Priority } from '../../scheduling/priority.ts';
import { AccountRounds } from './account-rounds.ts';
import { BullMqSource } from './bullmq-source.ts';
import { CANCELLED_PROGRESS } from './bullmq-task.ts';
import { FinishedEvents, type FinishedListener, type QueueConnection } from './finished-events.ts';
import {
  assertAddable,
  FINISHED_LIMIT,
  FINISHED_MS,
  QUEUE_NAMES,
  RenderQueueError,
  type QueueWorker,
  type RenderQueue,
  type RenderTask,
  type TaskHandler,
  type TaskState,
  type WorkerOptions,
} from '../port.ts';
import { redisAdvice } from '../../redis/redis-advice.ts';
import { RedisClient } from '../../redis/redis-client.ts';
import type { RedisConfig } from '../../redis/redis-config.ts';
import { RedisError, RedisOutages } from '../../redis/redis-outages.ts';
import { TaskWorker } from '../task-worker.ts';
import { TaskSeal } from './task-seal.ts';

export interface BullMqQueueOptions {
  readonly redis: RedisConfig;
  /** Keys that seal tasks and outcomes, newest first; the same in all processes of the queue. */
  readonly taskKeys: readonly string[];
  /** Counts rejected tasks; required where the queue runs a worker. */
  readonly metrics?: Metrics;
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
   * Interval in milliseconds at which an idle worker polls an empty queue: a killed renderer may have consumed the
   * wake-up.
   * @default 5000
   */
  readonly recheckIntervalMs?: number;
}

const LOCK_MS = 20_000;
const LOOK_AGAIN_MS = 5000;
/** Time limit for a call to get a connection. */
const CONNECTION_MS = 1000;

/** Sealed tasks, and their sealed outcomes. */
type BullQueue = Queue<string, string>;

/**
 * A render queue in Redis, using BullMQ: three queues under one prefix. A job's data is the sealed task; its return
 * value is the sealed outcome, even a failed one. A worker removes a task that it cannot open or that has expired, so
 * that its state is `unknown`. The controller handles retries and dead workers.
 */
export class BullMqQueue implements RenderQueue {
  readonly carriedDataBytes = INLINE_DATA_LIMIT;
  readonly #connection: QueueConnection;
  readonly #rejected: Counter<'reason'> | undefined;
  readonly #lockMs: number;
  readonly #recheckIntervalMs: number;
  readonly #queues: Readonly<Record<Priority, BullQueue>>;
  readonly #rounds: Readonly<Record<Priority, AccountRounds>>;
  readonly #finished: FinishedEvents;
  readonly #workers = new Set<TaskWorker>();
  #closing: Promise<void> | undefined;

  /** Connects in the background. */
  constructor(options: BullMqQueueOptions) {
    const {
      redis,
      clock = systemClock,
      logger,
      lockMs = LOCK_MS,
      recheckIntervalMs = LOOK_AGAIN_MS,
    } = options;
    this.#rejected = options.metrics?.counter({
      name: 'trifold_renderer_rejected_tasks_total',
      help: 'Tasks that were not rendered, by reason: unreadable (forged, altered, or encrypted with an unknown key) or expired.',
      labelNames: ['reason'],
    });
    this.#lockMs = lockMs;
    this.#recheckIntervalMs = recheckIntervalMs;
    const outages = new RedisOutages(clock, logger);
    const client = new RedisClient(redis, { name: `${redis.prefix}:queue`, outages, clock });
    const seal = new TaskSeal(options.taskKeys);
    this.#connection = { config: redis, client, outages, seal, clock, logger };
    adviseOnRedis(client, logger);
    this.#queues = byPriority((queue) => this.#bullQueue(queue));
    this.#rounds = byPriority((queue) => new AccountRounds(client.commands, redis.prefix, queue));
    this.#finished = new FinishedEvents(this.#connection);
  }

  async add(task: RenderTask): Promise<void> {
    assertAddable(task, this.carriedDataBytes);
    const { id, account } = task;
    const queue = this.#queues[task.queue];
    const rounds = this.#rounds[task.queue];
    await this.#ask(async () => {
      const [known, priority] = await Promise.all([queue.getJob(id), rounds.next(account)]);
      if (known) await rounds.cancel(account);
      else await queue.add('render', this.#connection.seal.sealTask(task), { jobId: id, priority });
    });
  }

  state(id: string, queue?: Priority): Promise<TaskState> {
    return this.#ask(async () => {
      if (queue !== undefined) {
        const state = await this.#stateIn(this.#queues[queue], id);
        if (state.status !== 'unknown') return state;
      }
      // An earlier version of the controller may have chosen another queue.
      const others = QUEUE_NAMES.filter((name) => name !== queue);
      const states = await Promise.all(others.map((name) => this.#stateIn(this.#queues[name], id)));
      return states.find(({ status }) => status !== 'unknown') ?? { status: 'unknown' };
    });
  }

  async remove(id: string): Promise<void> {
    await this.#ask(async () => {
      for (const queue of Object.values(this.#queues)) {
        // BullMQ does not remove active jobs, but it removes finished ones.
        const { status } = await this.#stateIn(queue, id);
        if (status === 'waiting') await queue.remove(id);
        if (status === 'active') await queue.updateJobProgress(id, CANCELLED_PROGRESS);
      }
    });
  }

  onFinished(listener: FinishedListener): () => void {
    return this.#finished.listen(listener);
  }

  work(handler: TaskHandler, options: WorkerOptions): QueueWorker {
    this.#assertOpen();
    const worker = new TaskWorker({
      ...options,
      handler,
      clock: this.#connection.clock,
      sources: QUEUE_NAMES.map((queue) => this.#source(queue)),
      closed: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    return worker;
  }

  depth(): Promise<Record<Priority, number>> {
    return this.#ask(async () => {
      const { interactive, asynchronous, batch } = this.#queues;
      return {
        interactive: await waitingIn(interactive),
        asynchronous: await waitingIn(asynchronous),
        batch: await waitingIn(batch),
      };
    });
  }

  async check(): Promise<void> {
    await this.#ask(() => this.#connection.client.commands.ping());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.close(0)));
    this.#finished.close();
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
    this.#connection.client.close();
  }

  #bullQueue(name: Priority): BullQueue {
    const kept = { age: FINISHED_MS / 1000, count: FINISHED_LIMIT };
    const queue: BullQueue = new Queue(name, {
      connection: this.#connection.client.commands,
      prefix: this.#connection.config.prefix,
      // BullMQ checks the Redis version and updates the queue's metadata only on the first connection; an error there
      // would be permanent.
      skipVersionCheck: true,
      skipMetasUpdate: true,
      defaultJobOptions: { attempts: 1, removeOnComplete: kept, removeOnFail: kept },
    });
    queue.on('error', (error) => this.#connection.outages.failed(error));
    return queue;
  }

  #source(queue: Priority): BullMqSource {
    return new BullMqSource({
      ...this.#connection,
      queue,
      rounds: this.#rounds[queue],
      rejected: (reason) => this.#rejected?.inc({ reason }),
      cancelled: (id) => this.#workers.forEach((worker) => worker.cancel(id)),
      lockMs: this.#lockMs,
      recheckIntervalMs: this.#recheckIntervalMs,
    });
  }

  /** Runs a Redis operation. Throws RenderQueueError within a few seconds when Redis is unavailable. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    if (!(await this.#connection.client.isReady(CONNECTION_MS))) {
      this.#assertOpen();
      throw new RenderQueueError('unavailable', 'the render queue cannot be reached');
    }
    try {
      return await question();
    } catch (error) {
      this.#assertOpen();
      throw new RenderQueueError('unavailable', 'the render queue does not respond', new RedisError(error));
    }
  }

  async #stateIn(queue: BullQueue, id: string): Promise<TaskState> {
    const state = await queue.getJobState(id);
    switch (state) {
      case 'unknown':
        return { status: 'unknown' };
      case 'active':
        return { status: 'active' };
      case 'completed':
      case 'failed': {
        const job = await queue.getJob(id);
        const outcome = this.#connection.seal.openOutcome(id, job?.returnvalue);
        // A renderer with different keys wrote it. Remove it, so that the task can be added again under its ID.
        if (!outcome) await job?.remove();
        return outcome ?? { status: 'unknown' };
      }
      default:
        return { status: 'waiting' };
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw new RenderQueueError('closed', 'the render queue is closed');
  }
}

async function waitingIn(queue: BullQueue): Promise<number> {
  const counts = await queue.getJobCounts('wait', 'prioritized');
  return (counts['wait'] ?? 0) + (counts['prioritized'] ?? 0);
}

/** Logs a warning on every connection if this Redis has a version or setting that can lose tasks. Never rejects. */
function adviseOnRedis({ commands }: RedisClient, logger: Logger): void {
  commands.on('ready', () => {
    commands.info().then(
      (info) => advise(info, logger),
      () => undefined, // Disconnected again, or the user may not run INFO.
    );
  });
}

function advise(info: string, logger: Logger): void {
  for (const { problem, remedy, fields } of redisAdvice(info)) logger.warn(fields, `${problem}: ${remedy}`);
}
