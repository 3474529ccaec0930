import { createRedisBackend, type RedisQueueBackend } from 'bullmq';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { QUEUE_NAMES, type RenderOutcome } from '../port.ts';
import { RedisClient } from '../../redis/redis-client.ts';
import type { RedisConfig } from '../../redis/redis-config.ts';
import type { RedisOutages } from '../../redis/redis-outages.ts';
import type { Priority } from '../../scheduling/priority.ts';
import type { TaskSeal } from './task-seal.ts';

const BLOCK_MS = 5000;
const PAUSE_MS = 500;
/** Redis may timestamp an entry slightly before the time of its write; a duplicate event is better than a lost one. */
const OVERLAP_MS = 100;

export type FinishedListener = (id: string, outcome: RenderOutcome) => void;

/** Dependencies that the components of one Redis queue share. */
export interface QueueConnection {
  readonly config: RedisConfig;
  readonly seal: TaskSeal;
  /** The queue's connection: commands sent on it later run after listening has started. */
  readonly client: RedisClient;
  readonly outages: RedisOutages;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads finished tasks from BullMQ's event streams, from the first listener until closed. BullMQ's QueueEvents stops
 * permanently when Redis rejects its first command, and cannot be closed while Redis is down.
 */
export class FinishedEvents {
  readonly #options: QueueConnection;
  readonly #listeners = new Set<FinishedListener>();
  #readers: RedisClient[] | undefined;
  #closed = false;

  constructor(options: QueueConnection) {
    this.#options = options;
  }

  listen(listener: FinishedListener): () => void {
    const own: FinishedListener = (id, outcome) => listener(id, outcome);
    this.#listeners.add(own);
    this.#readers ??= QUEUE_NAMES.map((queue) => this.#reader(queue));
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    for (const reader of this.#readers ?? []) reader.close();
  }

  #reader(queue: Priority): RedisClient {
    const { config, outages, clock } = this.#options;
    const name = `${config.prefix}:${queue}:finished`;
    const reader = new RedisClient(config, { name, blockingMs: BLOCK_MS, outages, clock });
    void this.#read(queue, reader);
    return reader;
  }

  /** Reads until closed. Never rejects. */
  async #read(queue: Priority, reader: RedisClient): Promise<void> {
    const { client, config } = this.#options;
    const { prefix } = config;
    const settings = {
      connection: reader.commands,
      prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    };
    const backend = createRedisBackend(queue, settings);
    // The reader logs them.
    backend.on('error', () => undefined);
    let last: string | undefined;
    while (!this.#closed) {
      try {
        if (!last && (await client.isReady(BLOCK_MS))) last = await this.#now();
        if (last && (await reader.isReady(BLOCK_MS)))
          last = this.#notify(await backend.readEvents(last, BLOCK_MS)) ?? last;
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#closed) return;
    const { clock, outages } = this.#options;
    outages.failed(error);
    await clock.sleep(PAUSE_MS);
  }

  /** Returns an ID that precedes all entries written from now on. */
  async #now(): Promise<string> {
    const [seconds, microseconds] = await this.#options.client.commands.time();
    const milliseconds = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    return `${milliseconds - OVERLAP_MS}-0`;
  }

  /** Reports the entries to the listeners. Returns the last entry's ID. */
  #notify(streams: Awaited<ReturnType<RedisQueueBackend['readEvents']>>): string | undefined {
    const entries = streams?.[0]?.[1] ?? [];
    for (const [, fields] of entries) this.#report(fields);
    return entries.at(-1)?.[0];
  }

  #report(fields: readonly string[]): void {
    const field = (name: string) => {
      const at = fields.findIndex((value, index) => index % 2 === 0 && value === name);
      return at < 0 ? undefined : fields[at + 1];
    };
    const task = field('jobId');
    if (field('event') !== 'completed' || task === undefined) return;
    // A JSON string without escapes. For a rejected task, it contains no sealed outcome.
    const outcome = this.#options.seal.openOutcome(task, field('returnvalue')?.slice(1, -1));
    if (!outcome) return;
    for (const listener of this.#listeners) {
      try {
        listener(task, outcome);
      } catch (error) {
        this.#options.logger.error({ err: error, task }, 'listener for finished tasks failed');
      }
    }
  }
}
