import { toKubernetesTime, type KindName, type KubernetesObject } from '@trifold/crds';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { isApiError } from '../client/api-error.ts';
import type { ResourceClient } from '../client/client.ts';

/** The fields of a core/v1 Event that this module writes. */
export interface CoreEvent extends KubernetesObject {
  readonly involvedObject: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string };
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

export const EVENT: KindName = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

export interface EventRecorderOptions {
  readonly client: ResourceClient<CoreEvent>;
  /** Name of the reporting component, for example `trifold-controller`. */
  readonly component: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The API server's limits. */
const MAX_REASON_LENGTH = 128;
const MAX_MESSAGE_LENGTH = 1024;
const MAX_NAME_LENGTH = 253;
/** Maximum number of distinct events remembered to count repeats, and of events waiting to be written. */
const REMEMBERED = 1000;
/** Minimum interval between writes of an event's count; a repeat triggers the write. */
const REPEAT_INTERVAL_MS = 30_000;
const WRITE_TIMEOUT_MS = 10_000;

/** One event and its repeats. */
interface EventSeries {
  readonly namespace: string;
  readonly name: string;
  readonly event: Omit<CoreEvent, 'apiVersion' | 'kind' | 'metadata' | 'lastTimestamp' | 'count'>;
  count: number;
  last: Date;
  /** In milliseconds of `Clock.monotonicMs`; undefined until the API server has the event. */
  writtenAt: number | undefined;
}

/**
 * Records problems with an object as events that `kubectl describe` shows. Best effort: it never throws and never
 * blocks the caller; events are dropped when the server is unavailable or there are too many. Repeats of the same event
 * increase its count; the first repeat after 30 seconds writes it.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new LRUCache<string, EventSeries>({ max: REMEMBERED });
  readonly #pending = new Set<EventSeries>();
  readonly #stopping = new AbortController();
  #writing: Promise<void> | undefined;
  #sequence = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records a Warning about the object. `reason` is one CamelCase word; the message must contain no document data. */
  warn(object: KubernetesObject, reason: string, message: string): void {
    if (this.#stopping.signal.aborted) return;
    const key = JSON.stringify([object.metadata.uid, reason, message]);
    const now = this.#options.clock.now();
    const known = this.#series.get(key);
    if (!known) {
      const series = this.#begin(object, reason, message);
      this.#series.set(key, series);
      this.#write(series);
      return;
    }
    known.count += 1;
    known.last = now;
    const sinceMs = this.#options.clock.monotonicMs() - (known.writtenAt ?? -Infinity);
    if (sinceMs >= REPEAT_INTERVAL_MS) this.#write(known);
  }

  /** Resolves when no event is waiting to be written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Drops events that have not been written yet and stops recording. */
  async stop(): Promise<void> {
    this.#pending.clear();
    this.#stopping.abort(new Error('the event recorder was stopped'));
    await this.#writing;
  }

  #begin(object: KubernetesObject, reason: string, message: string): EventSeries {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const now = this.#options.clock.now();
    // Named as in client-go: the name of the object and a unique suffix.
    const suffix = `.${now.getTime().toString(16)}${(this.#sequence++ % 4096).toString(16).padStart(3, '0')}`;
    return {
      namespace: namespace ?? 'default',
      name: name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix,
      event: {
        involvedObject: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          ...(namespace !== undefined && { namespace }),
          name,
          uid,
          resourceVersion,
        },
        type: 'Warning',
        reason: reason.slice(0, MAX_REASON_LENGTH),
        message: message.slice(0, MAX_MESSAGE_LENGTH),
        source: { component: this.#options.component },
        firstTimestamp: toKubernetesTime(now),
      },
      count: 1,
      last: now,
      writtenAt: undefined,
    };
  }

  #write(series: EventSeries): void {
    if (this.#pending.size >= REMEMBERED) {
      this.#options.logger.debug('event queue is full, dropped an event');
      return;
    }
    this.#pending.add(series);
    this.#writing ??= this.#writeAll();
  }

  /** Writes one event at a time, so that events do not compete with the work they report. */
  async #writeAll(): Promise<void> {
    for (const series of this.#pending) {
      this.#pending.delete(series);
      try {
        await this.#send(series);
        series.writtenAt = this.#options.clock.monotonicMs();
      } catch (error) {
        this.#options.logger.debug({ err: error }, 'failed to write an event');
      }
    }
    this.#writing = undefined;
  }

  async #send(series: EventSeries): Promise<void> {
    const write = (signal: AbortSignal) =>
      series.writtenAt === undefined ? this.#create(series, signal) : this.#raise(series, signal);
    await this.#options.clock.withTimeout(write, WRITE_TIMEOUT_MS, { signal: this.#stopping.signal });
  }

  async #create(series: EventSeries, signal: AbortSignal): Promise<void> {
    const { namespace, name, event, count, last } = series;
    const draft = { metadata: { namespace, name }, ...event, count, lastTimestamp: toKubernetesTime(last) };
    await this.#options.client.create(draft, signal);
  }

  /** Servers delete events after about an hour; a later repeat creates the event again. */
  async #raise(series: EventSeries, signal: AbortSignal): Promise<void> {
    const patch = { count: series.count, lastTimestamp: toKubernetesTime(series.last) };
    try {
      await this.#options.client.patch(series, patch, signal);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
      await this.#create(series, signal);
    }
  }
}
