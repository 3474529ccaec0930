import { randomUUID } from 'node:crypto';
import { createRedisBackend, Worker } from 'bullmq';
import type { Clock } from '../../service/clock.ts';
import { markerKey } from './bullmq-keys.ts';
import type { QueueName, RenderOutcome, RenderTask } from '../port.ts';
import { RedisClient } from '../../redis/redis-client.ts';
import type { RedisConfig } from '../../redis/redis-config.ts';
import type { RedisOutages } from '../../redis/redis-outages.ts';
import { TaskLease } from './task-lease.ts';

/** Timeout of one wait for a connection. */
const CONNECTION_MS = 5000;
/** Pause after an error. */
const PAUSE_MS = 500;

export interface LineOptions {
  readonly queue: QueueName;
  readonly config: RedisConfig;
  /** Shared with the queue that the worker belongs to. */
  readonly client: RedisClient;
  readonly outages: RedisOutages;
  readonly clock: Clock;
  /** Duration of a task's lock without renewal, in milliseconds. */
  readonly lockMs: number;
  /** Interval of lock renewal and of the scan for tasks of dead workers, in milliseconds. */
  readonly checkMs: number;
  /** Interval for polling an empty queue, in milliseconds, in case the marker was lost. */
  readonly lookAgainMs: number;
  /** Called when the queue may hold work. */
  readonly wake: () => void;
}

/** One of the two queues as a worker sees it. Tasks are fetched one by one, when the worker has a slot for them. */
export class BullMqLine {
  readonly queue: QueueName;
  readonly #options: LineOptions;
  readonly #bull: Worker<RenderTask, RenderOutcome>;
  readonly #blocking: RedisClient;
  readonly #marker: string;
  #mayHoldWork = true;
  #tookMarker = false;
  #closed = false;

  constructor(options: LineOptions) {
    const { queue, config, client, outages, clock, lockMs, checkMs } = options;
    this.queue = queue;
    this.#options = options;
    this.#marker = markerKey(config.prefix, queue);
    this.#bull = new Worker<RenderTask, RenderOutcome>(
      queue,
      null,
      {
        connection: client.commands,
        prefix: config.prefix,
        autorun: false,
        // BullMQ checks the version only once, and an error there would be permanent.
        skipVersionCheck: true,
        lockDuration: lockMs,
        stalledInterval: checkMs,
        // A stalled task fails: the controller decides on retries.
        maxStalledCount: 0,
      },
      // BullMQ's own blocking connection buffers commands while Redis is down.
      (name, settings) => createRedisBackend(name, settings),
    );
    this.#bull.on('error', (error) => outages.failed(error));
    this.#blocking = new RedisClient(config, {
      name: `${config.prefix}:${queue}:waiting`,
      blockingMs: options.lookAgainMs,
      outages,
      clock,
    });
  }

  /** False after the queue was found empty, until there may be new work. */
  get mayHoldWork(): boolean {
    return this.#mayHoldWork;
  }

  /** Takes the next task, if there is one; otherwise `wake` is called when there may be one. */
  async take(): Promise<TaskLease | undefined> {
    const token = randomUUID();
    this.#tookMarker = false;
    try {
      if (this.#options.client.ready) {
        const job = await this.#bull.getNextJob(token, { block: false });
        if (job) return new TaskLease(job, token);
        this.#lookAgainWhen(this.#marked());
      } else {
        this.#lookAgainWhen(this.#connected());
      }
    } catch (error) {
      this.#lookAgainWhen(this.#recovered(error));
    }
    return undefined;
  }

  /** Renews the locks. Returns the ids of tasks whose lock this worker no longer holds. */
  async renew(leases: readonly TaskLease[]): Promise<string[]> {
    if (leases.length === 0) return [];
    const ids = leases.map(({ id }) => id);
    const tokens = leases.map(({ token }) => token);
    return this.#bull.extendJobLocks(ids, tokens, this.#options.lockMs);
  }

  /**
   * Moves tasks of dead workers back to waiting; their outcome is then already fixed. One worker does this per
   * interval.
   */
  async releaseStalled(): Promise<void> {
    await this.#bull.getBackend().moveStalledJobsToWait();
  }

  /**
   * Each marker wakes one worker, which sets it again when it takes a task. A worker that popped the marker and took no
   * task, because it has no free slot, passes the marker on. So does one that puts a task back, because BullMQ then
   * sets no marker.
   */
  async wakeOthers(): Promise<void> {
    this.#tookMarker = false;
    await this.#options.client.commands.zadd(this.#marker, 0, '0');
  }

  /** Whether this worker popped a marker and has not looked for work since. */
  get owesMarker(): boolean {
    return this.#tookMarker;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#blocking.close();
    await this.#bull.close(true);
  }

  #lookAgainWhen(condition: Promise<void>): void {
    this.#mayHoldWork = false;
    void condition.then(() => {
      this.#mayHoldWork = true;
      if (!this.#closed) this.#options.wake();
    });
  }

  /** Resolves when any process signals new work, or after `lookAgainMs`. Never rejects. */
  async #marked(): Promise<void> {
    try {
      if (!(await this.#blocking.isReady(CONNECTION_MS))) return;
      const popped = await this.#blocking.commands.bzpopmin(this.#marker, this.#options.lookAgainMs / 1000);
      this.#tookMarker = popped !== null;
    } catch (error) {
      await this.#recovered(error);
    }
  }

  async #recovered(error: unknown): Promise<void> {
    if (this.#closed) return;
    this.#options.outages.failed(error);
    await this.#pause();
    await this.#connected();
  }

  /** Resolves when Redis is reachable or the line is closed. Never rejects. */
  async #connected(): Promise<void> {
    while (!this.#closed && !(await this.#options.client.isReady(CONNECTION_MS))) await this.#pause();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.schedule(PAUSE_MS, resolve));
  }
}
