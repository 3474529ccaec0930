import type { KubernetesObject } from '@trifold/crds';
import { formatKey } from '../client/object-key.ts';
import { isOlderVersion } from '../client/resource-version.ts';

/** Returns the values under which an index finds the object. */
export type IndexFunction<R> = (object: R) => readonly string[];

interface Entry<R> {
  readonly object: R;
  /** Index values at the time the object was stored; needed to remove it from the indexes. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Shared by all objects of a cache without indexes. */
const NO_VALUES: ReadonlyMap<string, readonly string[]> = new Map();

/** Stores objects by namespace and name, and by index value. */
export class ObjectCache<R extends KubernetesObject> {
  readonly #entries = new Map<string, Entry<R>>();
  readonly #functions: ReadonlyMap<string, IndexFunction<R>>;
  /** Index name to value to keys. */
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(indexes: Readonly<Record<string, IndexFunction<R>>> = {}) {
    this.#functions = new Map(Object.entries(indexes));
    for (const index of this.#functions.keys()) this.#indexes.set(index, new Map());
  }

  get(namespace: string | undefined, name: string): R | undefined {
    return this.#entries.get(formatKey(namespace, name))?.object;
  }

  list(): R[] {
    return Array.from(this.#entries.values(), (entry) => entry.object);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Keys in the format of formatKey. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  /** Throws a RangeError for an undeclared index. */
  byIndex(index: string, value: string): R[] {
    const found: R[] = [];
    for (const key of this.#keysOf(index, value)) {
      const entry = this.#entries.get(key);
      if (entry) found.push(entry.object);
    }
    return found;
  }

  /** Returns the number of objects that byIndex returns. Throws a RangeError for an undeclared index. */
  countByIndex(index: string, value: string): number {
    return this.#keysOf(index, value).size;
  }

  /** Returns the values under which the index has objects. Throws a RangeError for an undeclared index. */
  indexValues(index: string): string[] {
    return [...this.#valuesIn(index).keys()];
  }

  /** Stores the object. Returns false when the cache already has this version or a newer one. */
  put(object: R): boolean {
    const known = this.#entries.get(cacheKey(object))?.object.metadata;
    if (known && isOlderVersion(object.metadata.resourceVersion, known.resourceVersion)) return false;
    return this.set(object);
  }

  /**
   * Stores the object even over a newer version, as a fresh list requires. Returns false when the cache already has it.
   */
  set(object: R): boolean {
    const key = cacheKey(object);
    const known = this.#entries.get(key);
    if (known && isSame(object, known.object)) return false;
    // Computed before any change, because an index function may throw.
    const values = this.#valuesOf(object);
    if (known) this.#unindex(key, known);
    this.#entries.set(key, { object, values });
    for (const [index, indexed] of values) {
      for (const value of indexed) this.#keysAt(index, value).add(key);
    }
    return true;
  }

  /** Removes the object with this key. Returns false if there is none. */
  delete(key: string): boolean {
    const known = this.#entries.get(key);
    if (!known) return false;
    this.#unindex(key, known);
    this.#entries.delete(key);
    return true;
  }

  /** Removes the object in a DELETED event. Returns false when it is not cached or a newer object has the same name. */
  remove(object: R): boolean {
    const key = cacheKey(object);
    const known = this.#entries.get(key)?.object.metadata;
    if (!known) return false;
    const { uid, resourceVersion } = object.metadata;
    if (known.uid !== uid && isOlderVersion(resourceVersion, known.resourceVersion)) return false;
    return this.delete(key);
  }

  #keysOf(index: string, value: string): ReadonlySet<string> {
    return this.#valuesIn(index).get(value) ?? new Set();
  }

  #valuesIn(index: string): ReadonlyMap<string, ReadonlySet<string>> {
    const values = this.#indexes.get(index);
    if (!values) throw new RangeError(`unknown index "${index}"`);
    return values;
  }

  #valuesOf(object: R): ReadonlyMap<string, readonly string[]> {
    if (this.#functions.size === 0) return NO_VALUES;
    const values = new Map<string, readonly string[]>();
    for (const [index, valuesOf] of this.#functions) values.set(index, valuesOf(object));
    return values;
  }

  #keysAt(index: string, value: string): Set<string> {
    const values = this.#indexes.get(index) ?? new Map<string, Set<string>>();
    const keys = values.get(value) ?? new Set();
    values.set(value, keys);
    return keys;
  }

  #unindex(key: string, entry: Entry<R>): void {
    for (const [index, values] of entry.values) {
      for (const value of values) {
        const keys = this.#keysAt(index, value);
        keys.delete(key);
        if (keys.size === 0) this.#indexes.get(index)?.delete(value);
      }
    }
  }
}

export function cacheKey(object: KubernetesObject): string {
  return formatKey(object.metadata.namespace, object.metadata.name);
}

function isSame(one: KubernetesObject, other: KubernetesObject): boolean {
  return (
    one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion
  );
}
