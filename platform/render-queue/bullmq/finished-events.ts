import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import { eventsKey, QUEUE_NAMES } from './bullmq-keys.ts';
import type { RenderOutcome } from '../port.ts';
import { RedisClient } from '../../redis/redis-client.ts';
import type { RedisConfig } from '../../redis/redis-config.ts';
import type { RedisOutages } from '../../redis/redis-outages.ts';
import { parseOutcome } from '../stored-outcome.ts';

const BLOCK_MS = 5000;
const PAUSE_MS = 500;
const ENTRIES_AT_ONCE = 1000;
/** Redis may timestamp an entry slightly before the time of its write; a duplicate event is better than a lost one. */
const OVERLAP_MS = 100;

export type FinishedListener = (id: string, outcome: RenderOutcome) => void;

export interface FinishedEventsOptions {
  readonly config: RedisConfig;
  /** The queue's own connection: commands sent on it later run after the start of listening. */
  readonly client: RedisClient;
  readonly outages: RedisOutages;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads finished tasks from BullMQ's event streams, beginning with the first listener. Reads both streams on one
 * connection, until it is closed: BullMQ's QueueEvents stops permanently when Redis rejects its first command, and
 * cannot be closed while Redis is down.
 */
export class FinishedEvents {
  readonly #options: FinishedEventsOptions;
  readonly #listeners = new Set<FinishedListener>();
  readonly #keys: readonly string[];
  #reader: RedisClient | undefined;
  #ids: string[] | undefined;
  #closed = false;

  constructor(options: FinishedEventsOptions) {
    this.#options = options;
    this.#keys = QUEUE_NAMES.map((queue) => eventsKey(options.config.prefix, queue));
  }

  listen(listener: FinishedListener): () => void {
    const own: FinishedListener = (id, outcome) => listener(id, outcome);
    this.#listeners.add(own);
    this.#begin();
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#reader?.close();
  }

  #begin(): void {
    if (this.#reader || this.#closed) return;
    const { config, outages, clock } = this.#options;
    const name = `${config.prefix}:finished`;
    this.#reader = new RedisClient(config, { name, blockingMs: BLOCK_MS, outages, clock });
    void this.#read(this.#reader);
  }

  /** Reads until closed. Never rejects. */
  async #read(reader: RedisClient): Promise<void> {
    const { client, clock, outages } = this.#options;
    while (!this.#closed) {
      try {
        if (!this.#ids && (await client.isReady(BLOCK_MS))) this.#ids = await this.#now();
        if (this.#ids && (await reader.isReady(BLOCK_MS))) await this.#readNext(reader, this.#ids);
      } catch (error) {
        if (this.#closed) return;
        outages.failed(error);
        await new Promise<void>((resolve) => void clock.schedule(PAUSE_MS, resolve));
      }
    }
  }

  /** Returns an id that precedes all entries written from now on, in both streams. */
  async #now(): Promise<string[]> {
    const [seconds, microseconds] = await this.#options.client.commands.time();
    const milliseconds = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    return this.#keys.map(() => `${milliseconds - OVERLAP_MS}-0`);
  }

  async #readNext(reader: RedisClient, ids: string[]): Promise<void> {
    const streams = [...this.#keys, ...ids];
    const { commands } = reader;
    const found = await commands.xread('COUNT', ENTRIES_AT_ONCE, 'BLOCK', BLOCK_MS, 'STREAMS', ...streams);
    for (const [key, entries] of found ?? []) {
      const stream = this.#keys.indexOf(key);
      for (const [id, fields] of entries) {
        ids[stream] = id;
        this.#tell(fields);
      }
    }
  }

  #tell(fields: readonly string[]): void {
    const field = (name: string) => {
      const at = fields.findIndex((value, index) => index % 2 === 0 && value === name);
      return at < 0 ? undefined : fields[at + 1];
    };
    const task = field('jobId');
    if (field('event') !== 'completed' || task === undefined) return;
    const outcome = parseOutcome(field('returnvalue') ?? '');
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
