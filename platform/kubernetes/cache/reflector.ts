import type { KubernetesObject } from '@trifold/crds';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { abortable, abortableItems } from '../../async/abortable.ts';
import { KubernetesApiError, type ApiStatus } from '../client/api-error.ts';
import { backoffDelay, type Backoff } from '../controller/backoff.ts';
import { DEFAULT_PAGE_SIZE, type ListResult, type ResourceClient, type Selection } from '../client/client.ts';
import { delayOf, isExpired, needsRelist } from './reflector-errors.ts';
import { isOlderVersion } from '../client/resource-version.ts';
import type { ApiResponse } from '../client/transport.ts';
import { WatchDecodeError, WatchDecoder, type WatchEvent } from './watch-stream.ts';
import { Watchdog } from './watchdog.ts';

/** Receives the objects of a reflector. None of these methods may throw. */
export interface ReflectorSink<R> {
  /** A list begins: it will contain everything written before. */
  listing(): void;
  /** Replaces all objects with the ones at that version; others no longer exist. Watches wait until it resolves. */
  replace(objects: readonly R[], version: string): Promise<void>;
  upsert(object: R): void;
  remove(object: R): void;
  /**
   * The server confirmed that the sink was current at this time (`Clock.monotonicMs`) and contains every change up to
   * `version`.
   */
  confirmed(atMs: number, version: string): void;
}

export interface ReflectorOptions<R extends KubernetesObject> {
  readonly client: Pick<ResourceClient<R>, 'list' | 'watch'>;
  /** If omitted, all objects of the kind. */
  readonly selection?: Selection;
  readonly sink: ReflectorSink<R>;
  /**
   * Reduces each object of a list as it is read, so that a long list does not hold all full objects. Objects from watch
   * events, and objects for which this throws, reach the sink unchanged.
   */
  readonly transform: (object: R) => R;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The server is asked to end a watch after about this time; the reflector then reopens it. @default 300000 */
  readonly maxWatchMs?: number;
  /** Number of objects per page of a list. @default 500 */
  readonly pageSize?: number;
  /**
   * Whether lists are unpaged. API servers serve unpaged lists from memory, but may read pages from etcd, including all
   * objects that a selector excludes. Use unpaged lists for selectors that match only a small part of the kind. If such
   * a list does not arrive, the next one is paged.
   * @default false
   */
  readonly inOnePiece?: boolean;
  /** @default 250 ms doubling up to 30 s */
  readonly backoff?: Backoff;
  /** Returns a number in [0, 1). @default Math.random */
  readonly random?: () => number;
}

const DEFAULT_MAX_WATCH_MS = 5 * 60_000;
const DEFAULT_BACKOFF: Backoff = { baseMs: 250, capMs: 30_000 };
/** Timeout per page of a list, from the request to the last byte. */
const LIST_TIMEOUT_MS = 60_000;
/** Timeout from the request for a watch to the response headers. */
const OPEN_TIMEOUT_MS = 30_000;
/** Servers send a bookmark about every minute; a watch that is silent for more than two minutes is reopened. */
const IDLE_LIMIT_MS = 150_000;
/** A watch that ends sooner than this without an event has failed, even if it ended cleanly. */
const MIN_WATCH_MS = 1000;

/**
 * Keeps a sink in sync with the API server: lists in pages, then watches from the list's version. Recovers from every
 * failure of the server or the network (expired versions, half-open connections, overload, responses that are not from
 * the API); only `stop` ends it.
 */
export class Reflector<R extends KubernetesObject> {
  readonly #options: ReflectorOptions<R>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Version from which the next watch resumes; undefined when a list is due. */
  #version: string | undefined;
  /** Number of consecutive failures without progress. */
  #failures = 0;
  /** Number of these failures caused by expired versions. */
  #expiries = 0;
  /**
   * Whether the next list is unpaged. Changes when a list expires between two pages, because the next one could too,
   * and when an unpaged list does not arrive, because it may be too large.
   */
  #inOnePiece: boolean;

  constructor(options: ReflectorOptions<R>) {
    this.#options = options;
    this.#clock = options.clock;
    this.#inOnePiece = options.inOnePiece ?? false;
    this.#random = options.random ?? Math.random;
  }

  /** Starts to list and watch. Idempotent. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops immediately. The sink is not called afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the reflector was stopped'));
    await this.#running;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#version === undefined) this.#version = await this.#list();
        else await this.#watch(this.#version);
      } catch (error) {
        if (!this.#stopped) await this.#recover(error);
      }
    }
  }

  /** Lists all objects. Returns the version of the first page, which is valid for all pages. */
  async #list(): Promise<string> {
    const began = this.#clock.monotonicMs();
    this.#options.sink.listing();
    const first = await this.#firstPage();
    const objects = [...first.items];
    for (let next = first.continue; next !== undefined;) {
      const page = await this.#nextPage(next);
      for (const object of page.items) objects.push(object);
      next = page.continue;
    }
    this.#stopping.signal.throwIfAborted();
    this.#inOnePiece = this.#options.inOnePiece ?? false;
    await this.#options.sink.replace(objects, first.resourceVersion);
    this.#stopping.signal.throwIfAborted();
    // All pages show the state at the time of the first one.
    this.#options.sink.confirmed(began, first.resourceVersion);
    return first.resourceVersion;
  }

  async #firstPage(): Promise<ListResult<R>> {
    try {
      return await this.#page(undefined);
    } catch (error) {
      // A server error says nothing about the size of the list.
      if (!(error instanceof KubernetesApiError && error.code > 0)) this.#inOnePiece = false;
      throw error;
    }
  }

  async #nextPage(token: string): Promise<ListResult<R>> {
    try {
      return await this.#page(token);
    } catch (error) {
      if (isExpired(error)) this.#inOnePiece = true;
      throw error;
    }
  }

  async #page(token: string | undefined): Promise<ListResult<R>> {
    const { client, selection, pageSize = DEFAULT_PAGE_SIZE, transform } = this.#options;
    const list = (signal: AbortSignal) =>
      client.list({
        ...selection,
        ...(!this.#inOnePiece && { limit: pageSize }),
        ...(token !== undefined && { continue: token }),
        reduce: (object) => reduced(object, transform),
        signal,
      });
    return this.#clock.withTimeout(list, LIST_TIMEOUT_MS, { signal: this.#stopping.signal });
  }

  async #watch(version: string): Promise<void> {
    // Node 22 cannot parse `using`.
    const watchdog = new Watchdog(this.#clock, this.#stopping.signal);
    try {
      await this.#watchUnder(watchdog, version);
    } finally {
      watchdog.stop();
    }
  }

  async #watchUnder(watchdog: Watchdog, version: string): Promise<void> {
    const maxWatchMs = this.#options.maxWatchMs ?? DEFAULT_MAX_WATCH_MS;
    // Adds jitter, so that watches opened together do not end together.
    const timeoutSeconds = Math.max(1, Math.ceil((maxWatchMs * (1 - 0.25 * this.#random())) / 1000));
    const grace = Math.min(10_000, Math.max(1000, maxWatchMs / 2));
    const idleMs = Math.min(IDLE_LIMIT_MS, timeoutSeconds * 1000 + grace);

    watchdog.arm(Math.min(OPEN_TIMEOUT_MS, idleMs), 'the API server did not respond to a watch in time');
    const response = await this.#open(version, timeoutSeconds, watchdog.signal);
    const opened = this.#clock.monotonicMs();
    const listen = () => watchdog.arm(idleMs, 'the watch received no event');
    listen();
    this.#options.sink.confirmed(opened, version);

    const failure = await this.#read(response, watchdog.signal, listen);
    this.#stopping.signal.throwIfAborted();
    const lived = this.#clock.monotonicMs() - opened >= MIN_WATCH_MS;
    const served = lived || this.#version !== version;
    if (served) this.#failures = this.#expiries = 0;
    // A watch that worked and then ended or broke is reopened immediately; a lasting problem makes the next one fail.
    if (!served || isServerResponse(failure)) throw failure;
    this.#options.logger.trace({ reason: failure.message }, 'reopening the watch');
  }

  async #open(version: string, timeoutSeconds: number, signal: AbortSignal): Promise<ApiResponse> {
    const query = {
      resourceVersion: version,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(timeoutSeconds),
    };
    const opening = this.#options.client.watch(this.#options.selection ?? {}, query, signal);
    const response = await abortable(opening, signal);
    const type = response.headers['content-type'] ?? 'application/json';
    if (!type.startsWith('application/json')) {
      throw new WatchDecodeError(
        `the response to a watch is ${type}, not JSON: check that the address is an API server`,
      );
    }
    return response;
  }

  /** Reads until the stream ends. Returns the reason as an error. */
  async #read(response: ApiResponse, signal: AbortSignal, listen: () => void): Promise<Error> {
    const decoder = new WatchDecoder<R>();
    try {
      for await (const piece of abortableItems(response.body, signal)) {
        listen();
        for await (const event of decoder.push(piece)) {
          this.#stopping.signal.throwIfAborted();
          this.#take(event);
        }
      }
    } catch (error) {
      return error as Error;
    }
    return new Error('the server ended the watch');
  }

  #take(event: WatchEvent<R>): void {
    const { sink } = this.#options;
    if (event.type === 'ERROR') throw errorOfEvent(event.object);
    const { resourceVersion } = event.object.metadata;
    if (this.#version !== undefined && isOlderVersion(resourceVersion, this.#version)) {
      throw new WatchDecodeError(
        'the versions of a watch decreased: the server may have been restored from a backup',
      );
    }
    this.#version = resourceVersion;
    // Comes first, so that listeners of the sink already find the new version.
    sink.confirmed(this.#clock.monotonicMs(), resourceVersion);
    if (event.type === 'DELETED') sink.remove(event.object);
    else if (event.type !== 'BOOKMARK') sink.upsert(event.object);
  }

  async #recover(error: unknown): Promise<void> {
    const { logger, backoff = DEFAULT_BACKOFF } = this.#options;
    const expired = isExpired(error);
    const backoffMs = backoffDelay(backoff, this.#failures, this.#random);
    // A server that reports an expired version is healthy: list again without a delay, but only once.
    const delayMs = expired && this.#expiries === 0 ? 0 : delayOf(error, backoffMs);
    this.#failures += 1;
    if (expired) this.#expiries += 1;
    if (needsRelist(error, this.#failures)) this.#version = undefined;
    if (expired) logger.info({ err: error, delayMs }, 'watched version expired, listing again');
    else logger.warn({ err: error, delayMs }, 'watch failed, retrying');
    if (delayMs > 0) await this.#clock.sleep(delayMs, this.#stopping.signal);
  }
}

function reduced<R>(object: R, transform: (object: R) => R): R {
  try {
    return transform(object);
  } catch {
    return object;
  }
}

function errorOfEvent(status: Partial<ApiStatus>): KubernetesApiError {
  const { code = 500, reason, message = 'the watch ended with an error', details } = status;
  return new KubernetesApiError({ code, message, ...(reason && { reason }), ...(details && { details }) });
}

function isServerResponse(failure: Error): boolean {
  return failure instanceof KubernetesApiError || failure instanceof WatchDecodeError;
}
