import type { KubernetesObject } from '@trifold/crds';
import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import { abortable } from '../client/abortable.ts';
import type { ResourceClient, Selection } from '../client/client.ts';
import { keyOf, ObjectCache, type IndexFunction } from './object-cache.ts';
import { formatKey, parseKey, type ObjectKey } from '../client/object-key.ts';
import { Reflector, type ReflectorSink } from './reflector.ts';

export interface InformerOptions<R extends KubernetesObject> {
  readonly client: Pick<ResourceClient<R>, 'kind' | 'list' | 'watch'>;
  /** Everything of the kind when left out. */
  readonly selection?: Selection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Values by which `byIndex` finds objects. An object whose function throws is left out and logged. */
  readonly indexes?: Readonly<Record<string, IndexFunction<R>>>;
  /** What the cache keeps of an object: leave out what is large and never read. Metadata has to stay. */
  readonly transform?: (object: R) => R;
  /**
   * How long a watch lasts until it is opened again, which confirms an idle cache; whole seconds matter, one at least.
   * @default 300000
   */
  readonly maxWatchMs?: number;
  /** Objects a page of a list. @default 500 */
  readonly pageSize?: number;
  /** In [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
}

/**
 * A cache of the objects of one kind, kept equal to the server's, and a bell that rings for each change.
 * Level-triggered: listeners are told which object changed, never how; they look into the cache. Changes in quick
 * succession, or missed while disconnected, may ring once. Objects are shared: treat them as read-only.
 */
export class Informer<R extends KubernetesObject> {
  readonly #cache: ObjectCache<R>;
  readonly #reflector: Reflector<R>;
  readonly #transform: (object: R) => R;
  readonly #logger: Logger;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  readonly #firstList = Promise.withResolvers<void>();
  #hasSynced = false;
  #stopped = false;
  #confirmedAt: Date | undefined;

  constructor(options: InformerOptions<R>) {
    this.#cache = new ObjectCache<R>(options.indexes);
    this.#transform = options.transform ?? ((object) => object);
    this.#logger = options.logger.child({ kind: options.client.kind.kind });
    this.#reflector = new Reflector<R>({ ...options, logger: this.#logger, sink: this.#sink() });
    // Nobody need wait for it.
    this.#firstList.promise.catch(() => {});
  }

  /** Begins to list and watch; more than once is once. */
  start(): void {
    this.#reflector.start();
  }

  /**
   * Resolves when the first list is in the cache and told to the listeners. Rejects with the signal's reason, or
   * when the informer is stopped before.
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

  /** How many objects are in the cache. */
  get size(): number {
    return this.#cache.size;
  }

  /** Keys of everything in the cache. */
  keys(): ObjectKey[] {
    return this.#cache.keys().map(parseKey);
  }

  /** Throws a RangeError for an index that was not declared. */
  byIndex(index: string, value: string): R[] {
    return this.#cache.byIndex(index, value);
  }

  /** How many byIndex would answer, without making the list. Throws a RangeError for an index that was not declared. */
  countByIndex(index: string, value: string): number {
    return this.#cache.countByIndex(index, value);
  }

  /** Takes an object out of the cache that nobody will ask for; it is back when it changes or everything is listed. */
  forget(namespace: string | undefined, name: string): void {
    this.#cache.delete(formatKey(namespace, name));
  }

  /**
   * Calls the listener with the key of each object that appeared, changed or went away, after the cache has it.
   * Listeners run one after the other inside the watch: they only take note, and return at once. Returns how to stop.
   */
  onChange(listener: (key: ObjectKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Last time the server confirmed that the cache is current: a list, an event, a bookmark, a watch opened. */
  get confirmedAt(): Date | undefined {
    return this.#confirmedAt;
  }

  /** Ends list and watch at once. No listener is called from now on; the cache stays readable as it is. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#firstList.reject(new Error('the informer was stopped before its first list'));
    await this.#reflector.stop();
  }

  #sink(): ReflectorSink<R> {
    return {
      replace: (objects) => this.#replace(objects),
      upsert: (object) => {
        if (this.#keep(object, (kept) => this.#cache.put(kept))) this.#ring(keyOf(object));
      },
      remove: (object) => {
        if (this.#cache.remove(object)) this.#ring(keyOf(object));
      },
      confirmed: (at) => {
        this.#confirmedAt = at;
      },
    };
  }

  /** A list is the whole truth: it takes away what it does not hold, and wins over what the cache believed newer. */
  #replace(objects: readonly R[]): void {
    const changed: string[] = [];
    const gone = new Set(this.#cache.keys());
    for (const object of objects) {
      const key = keyOf(object);
      gone.delete(key);
      if (this.#keep(object, (kept) => this.#cache.set(kept))) changed.push(key);
    }
    for (const key of gone) this.#cache.delete(key);
    this.#hasSynced = true;
    for (const key of [...gone, ...changed]) this.#ring(key);
    this.#firstList.resolve();
  }

  #keep(object: R, store: (kept: R) => boolean): boolean {
    try {
      return store(this.#transform(withoutManagedFields(object)));
    } catch (error) {
      const { namespace, name } = object.metadata;
      this.#logger.error({ err: error, namespace, name }, 'failed to cache an object');
      return this.#cache.delete(keyOf(object));
    }
  }

  #ring(text: string): void {
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

/** Who set which field, in so many words that they outweigh a small object; nobody who reads a cache asks for it. */
function withoutManagedFields<R extends KubernetesObject>(object: R): R {
  if (!('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
