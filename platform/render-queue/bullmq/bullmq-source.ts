import { randomUUID } from 'node:crypto';
import { Job, QueueKeys, RedisConnection, RedisQueueBackend, Worker } from 'bullmq';
import { RedisClient } from '../../redis/redis-client.ts';
import type { TaskSource } from '../task-worker.ts';
import type { AccountRounds } from './account-rounds.ts';
import { BullMqTask, CANCELLED_PROGRESS, forgetJob, unlessLost } from './bullmq-task.ts';
import type { QueueConnection } from './finished-events.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** Time limit for one wait for a connection. */
const CONNECTION_MS = 5000;
/** Pause after an error. */
const PAUSE_MS = 500;
/**
 * Number of lock renewals per lock duration; the scans for tasks of dead workers and for cancelled tasks run at the
 * same interval.
 */
const CHECKS_PER_LOCK = 4;

/** Number of waiting tasks searched for an account: each round has one task of each account. */
const LOOK_AHEAD = 8;

/** Reason that a task is not rendered: it was not sealed for its ID with a known key, or no worker began it in time. */
export type RejectionReason = 'unreadable' | 'expired';

export interface BullMqSourceOptions extends QueueConnection {
  readonly queue: Priority;
  readonly rounds: AccountRounds;
  /** Called for each rejected task. */
  readonly rejected: (reason: RejectionReason) => void;
  /** Called when a task that this worker holds has been removed. */
  readonly cancelled: (id: string) => void;
  /** Duration of a task's lock without renewal, in milliseconds. */
  readonly lockMs: number;
  /** Interval for polling an empty queue, in milliseconds, in case a dead worker took the wake-up. */
  readonly recheckIntervalMs: number;
}

/** The tasks of one queue, fetched explicitly through a BullMQ worker without a processor. */
export class BullMqSource implements TaskSource {
  readonly queue: Priority;
  readonly #options: BullMqSourceOptions;
  readonly #bull: Worker<string, string>;
  readonly #blocking: RedisClient;
  readonly #held = new Map<string, BullMqTask>();
  readonly #checkMs: number;
  #fetched = false;
  #cancelRenewal: () => void;
  #stopped = false;
  #closed = false;

  constructor(options: BullMqSourceOptions) {
    const { queue, config, client, outages, rounds, clock, lockMs, recheckIntervalMs } = options;
    this.queue = queue;
    this.#options = options;
    this.#checkMs = Math.ceil(lockMs / CHECKS_PER_LOCK);
    const name = `${config.prefix}:${queue}:waiting`;
    this.#blocking = new RedisClient(config, { name, blockingMs: recheckIntervalMs, outages, clock });
    this.#bull = new Worker<string, string>(
      queue,
      null,
      {
        connection: client.commands,
        prefix: config.prefix,
        autorun: false,
        drainDelay: recheckIntervalMs / 1000,
        lockDuration: lockMs,
        stalledInterval: this.#checkMs,
        // A stalled task fails: the controller decides on retries.
        maxStalledCount: 0,
      },
      (_name, settings) => {
        const keys = new QueueKeys(config.prefix);
        const toKey = (type: string) => keys.toKey(queue, type);
        const blocking = connectionOf(this.#blocking);
        return new RedisQueueBackend(
          connectionOf(client),
          queue,
          keys.getKeys(queue),
          toKey,
          settings,
          blocking,
        );
      },
    );
    this.#bull.on('error', (error) => outages.failed(error));
    this.#bull.on('drained', () => rounds.empty());
    this.#cancelRenewal = this.#scheduleRenewal();
  }

  async take(isWanted?: (account: string) => boolean): Promise<BullMqTask | undefined> {
    if (isWanted && !(await this.#bringForward(isWanted))) return undefined;
    return this.#fetch(false);
  }

  async wait(): Promise<BullMqTask | undefined> {
    const connections = [this.#options.client, this.#blocking];
    const ready = await Promise.all(connections.map((client) => client.isReady(CONNECTION_MS)));
    return ready.every(Boolean) ? this.#fetch(true) : undefined;
  }

  stop(): void {
    this.#stopped = true;
    void this.#bull.close(true);
    this.#blocking.close();
  }

  close(): void {
    this.#closed = true;
    this.#cancelRenewal();
  }

  /** Moves the first task of a wanted account to the front of the queue. Returns whether there was one. */
  async #bringForward(isWanted: (account: string) => boolean): Promise<boolean> {
    const { client, seal, outages } = this.#options;
    if (!client.ready) return false;
    try {
      for (const id of await this.#firstIds()) {
        const job: Job<string, string> | undefined = await Job.fromId(this.#bull, id);
        const task = job && seal.openTask(id, job.data);
        const isNext = task && isWanted(task.account);
        if (isNext && (await unlessLost(job.changePriority({ priority: 0, lifo: true })))) return true;
      }
    } catch (error) {
      if (!this.#stopped) outages.failed(error);
    }
    return false;
  }

  /** IDs of the tasks that have waited longest. */
  async #firstIds(): Promise<readonly string[]> {
    const { commands } = this.#options.client;
    const returned = await commands.lrange(this.#bull.toKey('wait'), -LOOK_AHEAD, -1);
    const others = await commands.zrange(this.#bull.toKey('prioritized'), 0, String(LOOK_AHEAD - 1));
    return [...returned.toReversed(), ...others];
  }

  async #fetch(block: boolean): Promise<BullMqTask | undefined> {
    try {
      if (!this.#options.client.ready) return undefined;
      const token = randomUUID();
      const job = await this.#bull.getNextJob(token, { block });
      // Starts only after the first fetch, so that connecting is not logged as an outage.
      if (!this.#fetched) void this.#bull.startStalledCheckTimer();
      this.#fetched = true;
      if (!job) return undefined;
      this.#options.rounds.taken(job.priority);
      const task = this.#open(job, token);
      if (typeof task !== 'string') return task;
      this.#options.rejected(task);
      this.#options.logger.warn({ task: job.id, reason: task }, 'rejected a task');
      await forgetJob(job, token);
    } catch (error) {
      if (this.#stopped) return undefined;
      this.#options.outages.failed(error);
      await this.#options.clock.sleep(PAUSE_MS);
    }
    return undefined;
  }

  #open(job: Job<string, string>, token: string): BullMqTask | RejectionReason {
    const { seal, clock } = this.#options;
    const task = seal.openTask(job.id ?? '', job.data);
    if (!task) return 'unreadable';
    const held = new BullMqTask(
      { job, token, task },
      {
        ...this.#options,
        released: () => void (this.#held.get(held.id) === held && this.#held.delete(held.id)),
      },
    );
    // If a renderer was lost, it had begun the task in time.
    const isLate = Date.parse(task.expiresAt ?? '') < clock.now().getTime();
    if (isLate && !held.knownOutcome) return 'expired';
    this.#held.set(held.id, held);
    return held;
  }

  #scheduleRenewal(): () => void {
    return this.#options.clock.schedule(this.#checkMs, () => {
      void this.#renew().then(() => {
        if (!this.#closed) this.#cancelRenewal = this.#scheduleRenewal();
      });
    });
  }

  /** Renews the locks of the held tasks and cancels those that have been removed. Never rejects. */
  async #renew(): Promise<void> {
    const tasks = [...this.#held.values()];
    if (tasks.length === 0) return;
    const ids = tasks.map(({ id }) => id);
    const tokens = tasks.map(({ token }) => token);
    try {
      for (const id of await this.#bull.extendJobLocks(ids, tokens, this.#options.lockMs)) {
        if (!this.#held.delete(id)) continue; // finished in the meantime
        this.#options.logger.warn({ task: id }, 'task held by this renderer is not active in the queue');
      }
      await Promise.all(ids.map((id) => this.#checkCancelled(id)));
    } catch {
      // The outage is logged elsewhere; the next renewal comes soon.
    }
  }

  async #checkCancelled(id: string): Promise<void> {
    const job = await Job.fromId(this.#bull, id);
    if (job?.progress === CANCELLED_PROGRESS) this.#options.cancelled(id);
  }
}

/** BullMQ's connections queue commands while Redis is down, and the blocking one cannot be closed during that time. */
function connectionOf(client: RedisClient): RedisConnection {
  return new RedisConnection(client.commands, {
    shared: true,
    blocking: false,
    // BullMQ checks the version only once, and an error there would be permanent.
    skipVersionCheck: true,
    skipWaitingForReady: true,
  });
}
