import { API_GROUP, type KubernetesObject, type ObjectMeta } from '@trifold/crds';
import type { Logger } from '../../process/logging.ts';
import { abortable } from '../../async/abortable.ts';
import { TurnBudget } from '../../async/turn-budget.ts';
import type { ResourceClient } from '../client/client.ts';
import { MutationCache } from './mutation-cache.ts';
import { cacheKey, type IndexFunction } from './object-cache.ts';
import { formatKey, parseKey, type ObjectKey } from '../client/object-key.ts';
import { Reflector, type ReflectorOptions, type ReflectorSink } from './reflector.ts';

export interface InformerOptions<R extends KubernetesObject> extends Omit<
  ReflectorOptions<R>,
  'client' | 'sink' | 'transform' | 'backoff'
> {
  readonly client: Pick<ResourceClient<R>, 'kind' | 'list' | 'watch'>;
  /** Index functions for `byIndex`. An object for which one throws is not cached; the error is logged. */
  readonly indexes?: Readonly<Record<string, IndexFunction<R>>>;
  /**
   * Maps an object to what the cache stores, to drop large fields that are never read. Must keep the metadata and be
   * idempotent. An object for which this throws is not cached; the error is logged.
   */
  readonly transform?: (object: R) => R;
}

/** Limits the objects from long lists that all informers together cache and report in one turn of the event loop. */
const TURNS = new TurnBudget(500);

/**
 * Caches the objects of one kind, keeps the cache in sync with the server and notifies listeners of changes.
 * Level-triggered: a listener receives the key of the object, not the change, and reads the cache. Changes in quick
 * succession or during a disconnect may cause a single notification. Cached objects are shared: treat them as
 * read-only. They lack annotations from other tools, so never replace an object with a cached one.
 */
export class Informer<R extends KubernetesObject> {
  readonly #cache: MutationCache<R>;
  readonly #reflector: Reflector<R>;
  readonly #logger: Logger;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  readonly #firstList = Promise.withResolvers<void>();
  #hasSynced = false;
  #stopped = false;
  #confirmedAt: number | undefined;

  constructor(options: InformerOptions<R>) {
    const { indexes = {}, transform: custom = (object: R) => object } = options;
    const transform = (object: R) => custom(withOwnMetadata(object));
    this.#logger = options.logger.child({ kind: options.client.kind.kind });
    this.#cache = new MutationCache<R>({
      indexes,
      transform,
      onError: (error, { metadata: { namespace, name } }) =>
        this.#logger.error({ err: error, namespace, name }, 'failed to cache an object'),
    });
    this.#reflector = new Reflector<R>({ ...options, transform, logger: this.#logger, sink: this.#sink() });
    // Prevents an unhandled rejection when nothing awaits it.
    this.#firstList.promise.catch(() => {});
  }

  /** Starts to list and watch. Idempotent. */
  start(): void {
    this.#reflector.start();
  }

  /**
   * Resolves when the first list is cached and the listeners have been notified. Rejects with the signal's reason, or
   * if the informer is stopped first.
   */
  async synced(signal?: AbortSignal): Promise<void> {
    await abortable(this.#firstList.promise, signal);
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get(namespace: string | undefined, name: string): R | undefined {
    return this.#cache.get(namespace, name);
  }

  list(): R[] {
    return this.#cache.list();
  }

  get size(): number {
    return this.#cache.size;
  }

  keys(): ObjectKey[] {
    return this.#cache.keys().map(parseKey);
  }

  /** Throws a RangeError for an undeclared index. */
  byIndex(index: string, value: string): R[] {
    return this.#cache.byIndex(index, value);
  }

  /**
   * Returns the number of objects that byIndex returns, without building the list. Throws a RangeError for an
   * undeclared index.
   */
  countByIndex(index: string, value: string): number {
    return this.#cache.countByIndex(index, value);
  }

  /** Returns the values under which the index has objects. Throws a RangeError for an undeclared index. */
  indexValues(index: string): string[] {
    return this.#cache.indexValues(index);
  }

  /**
   * Shows an object as the server returned it to this process after a write or a read, before the watch does. Ignores a
   * version that the watch has already shown. Like any change, it notifies the listeners. The object must match the
   * selection.
   */
  mutated(object: R): void {
    if (this.#cache.mutated(object)) this.#notify(cacheKey(object));
  }

  /** Removes an object that this process deleted, and ignores later events for it. */
  deleted(object: R): void {
    if (this.#cache.deleted(object)) this.#notify(cacheKey(object));
  }

  /** Removes from the cache an object that is no longer needed. It reappears when it changes or with the next list. */
  forget(namespace: string | undefined, name: string): void {
    this.#cache.delete(formatKey(namespace, name));
  }

  /**
   * Calls the listener with the key of each object that appeared, changed or disappeared, after the cache is updated.
   * Listeners run one after another inside the watch: they must only record the key and return immediately. Returns a
   * function that unsubscribes.
   */
  onChange(listener: (key: ObjectKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Version up to which the cache includes every change; undefined before the first list. */
  get version(): string | undefined {
    return this.#cache.version;
  }

  /**
   * Last time the server confirmed that the cache is current, by a list, an event, a bookmark or an opened watch. In
   * milliseconds of `Clock.monotonicMs`.
   */
  get confirmedAt(): number | undefined {
    return this.#confirmedAt;
  }

  /** Stops the list and the watch immediately. No listener is called afterwards; the cache stays readable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#firstList.reject(new Error('the informer was stopped before its first list'));
    await this.#reflector.stop();
  }

  #sink(): ReflectorSink<R> {
    const cache = this.#cache;
    return {
      listing: () => cache.beginList(),
      replace: async (objects, version) => this.#replace(objects, version),
      upsert: (object) => {
        if (cache.put(object)) this.#notify(cacheKey(object));
      },
      remove: (object) => {
        if (cache.remove(object)) this.#notify(cacheKey(object));
      },
      confirmed: (at, version) => {
        cache.advance(version);
        this.#confirmedAt = at;
      },
    };
  }

  async #replace(objects: readonly R[], version: string): Promise<void> {
    await TURNS.inSlices(objects, (slice) => this.#cache.addListed(slice));
    if (this.#stopped) return;
    const changed = this.#cache.endList(version);
    this.#hasSynced = true;
    await TURNS.inSlices([...changed], (slice) => {
      for (const key of slice) this.#notify(key);
    });
    this.#firstList.resolve();
  }

  #notify(text: string): void {
    const key = parseKey(text);
    for (const listener of this.#listeners) {
      if (this.#stopped) return;
      try {
        listener(key);
      } catch (error) {
        this.#logger.error({ err: error, ...key }, 'cache listener failed');
      }
    }
  }
}

/**
 * Drops fields that no reader uses but that can be larger than everything else: `managedFields` and annotations from
 * other tools, such as kubectl's copy of the whole object.
 */
function withOwnMetadata<R extends KubernetesObject>(object: R): R {
  const { managedFields, annotations, ...metadata } = object.metadata as ObjectMeta & {
    readonly managedFields?: unknown;
  };
  if (managedFields === undefined && !annotations) return object;
  const own = Object.entries(annotations ?? {}).filter(([name]) => name.startsWith(OWN_PREFIX));
  return {
    ...object,
    metadata: { ...metadata, ...(own.length > 0 && { annotations: Object.fromEntries(own) }) },
  };
}

const OWN_PREFIX = `${API_GROUP}/`;
