import type { KubernetesObject } from '@trifold/crds';
import { formatKey } from '../client/object-key.ts';
import { isOlderVersion } from '../client/resource-version.ts';

/** Values under which an object is found in an index. */
export type IndexFunction<R> = (object: R) => readonly string[];

interface Entry<R> {
  readonly object: R;
  /** Values by index, as they were when the object came: needed to take it out again. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Of every object where there is no index. */
const NO_VALUES: ReadonlyMap<string, readonly string[]> = new Map();

/** Objects by namespace and name, and by what index functions make of them. */
export class ObjectCache<R extends KubernetesObject> {
  readonly #entries = new Map<string, Entry<R>>();
  readonly #functions: ReadonlyMap<string, IndexFunction<R>>;
  /** Index, then value, then keys. */
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

  /** Keys as formatKey writes them. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  /** Throws a RangeError for an index that was not declared. */
  byIndex(index: string, value: string): R[] {
    const found: R[] = [];
    for (const key of this.#keysOf(index, value)) {
      const entry = this.#entries.get(key);
      if (entry) found.push(entry.object);
    }
    return found;
  }

  /** How many objects byIndex would answer. Throws a RangeError for an index that was not declared. */
  countByIndex(index: string, value: string): number {
    return this.#keysOf(index, value).size;
  }

  /** Takes the object in. False when the cache has it already, or a newer version. */
  put(object: R): boolean {
    const known = this.#entries.get(keyOf(object))?.object.metadata;
    if (known && isOlderVersion(object.metadata.resourceVersion, known.resourceVersion)) return false;
    return this.set(object);
  }

  /** Takes the object in even over a newer version, as a fresh list demands. False when the cache has it already. */
  set(object: R): boolean {
    const key = keyOf(object);
    const known = this.#entries.get(key);
    if (known && isSame(object, known.object)) return false;
    // Before anything is changed: an index function may throw.
    const values = this.#valuesOf(object);
    if (known) this.#unindex(key, known);
    this.#entries.set(key, { object, values });
    for (const [index, indexed] of values) {
      for (const value of indexed) this.#keysAt(index, value).add(key);
    }
    return true;
  }

  /** Drops the object of this key. False when there is none. */
  delete(key: string): boolean {
    const known = this.#entries.get(key);
    if (!known) return false;
    this.#unindex(key, known);
    this.#entries.delete(key);
    return true;
  }

  /** Drops what a DELETED event names. False when it is not there, or another object has taken the name since. */
  remove(object: R): boolean {
    const key = keyOf(object);
    const known = this.#entries.get(key)?.object.metadata;
    if (!known) return false;
    const { uid, resourceVersion } = object.metadata;
    if (known.uid !== uid && isOlderVersion(resourceVersion, known.resourceVersion)) return false;
    return this.delete(key);
  }

  #keysOf(index: string, value: string): ReadonlySet<string> {
    const values = this.#indexes.get(index);
    if (!values) throw new RangeError(`there is no index "${index}"`);
    return values.get(value) ?? new Set();
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

/** The key of an object, as formatKey writes it. */
export function keyOf(object: KubernetesObject): string {
  return formatKey(object.metadata.namespace, object.metadata.name);
}

function isSame(one: KubernetesObject, other: KubernetesObject): boolean {
  return (
    one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion
  );
}
