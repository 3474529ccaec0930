import type { KubernetesObject } from '@trifold/crds';
import { isOlderVersion } from '../client/resource-version.ts';
import { cacheKey, ObjectCache, type IndexFunction } from './object-cache.ts';

export interface MutationCacheOptions<R extends KubernetesObject> {
  readonly indexes?: Readonly<Record<string, IndexFunction<R>>>;
  /** Maps an object to what the cache stores. Must keep the metadata. */
  readonly transform?: (object: R) => R;
  /** Called when `transform` or an index function throws; the object is not stored. @default rethrows */
  readonly onError?: (error: unknown, object: R) => void;
}

interface ListInProgress<R> {
  /** Objects written since the list began, which the list may not contain, by key. */
  readonly written: Map<string, R>;
  /** Uids of the objects listed so far, by key. */
  readonly uids: Map<string, string>;
  /** Listed objects that are also in `written`. */
  readonly later: R[];
  /** Keys of the objects that have changed so far. */
  readonly changed: Set<string>;
}

/** Reads objects from a cache that may lag behind the API server, but shows this process's own writes. */
export interface MutableLister<R extends KubernetesObject> {
  get(namespace: string | undefined, name: string): R | undefined;
  /** Shows an object as the server returned it to this process after a write or a read. */
  mutated(object: R): void;
}

/**
 * Stores objects as lists and watch events show them, and shows this process's writes before the watch does. A write is
 * shown until a newer version replaces it: the object's version shows which of two is newer, so writes never expire.
 */
export class MutationCache<R extends KubernetesObject> extends ObjectCache<R> {
  readonly #transform: (object: R) => R;
  readonly #onError: (error: unknown, object: R) => void;
  /** Version up to which lists and events are stored; undefined before the first list. */
  #version: string | undefined;
  /** The list in progress. */
  #list: ListInProgress<R> | undefined;
  /** Versions, by uid, of deleted objects whose earlier events may still arrive. */
  readonly #tombstones = new Map<string, string>();

  constructor({ indexes, transform, onError }: MutationCacheOptions<R> = {}) {
    super(indexes);
    this.#transform = transform ?? ((object) => object);
    this.#onError =
      onError ??
      ((error) => {
        throw error;
      });
  }

  /** Version up to which the cache includes every change; undefined before the first list. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Records that all changes up to this version are stored. */
  advance(version: string): void {
    this.#version = version;
  }

  /** Ignores an object that was recorded as deleted. */
  override set(object: R): boolean {
    if (this.#tombstones.has(object.metadata.uid)) return false;
    try {
      return super.set(this.#transform(object));
    } catch (error) {
      this.#onError(error, object);
      return this.delete(cacheKey(object));
    }
  }

  override remove(object: R): boolean {
    this.#tombstones.delete(object.metadata.uid);
    return super.remove(object);
  }

  /**
   * Stores an object as the server returned it to this process after a write or a read. Returns false when the cache
   * already shows this version or a newer one.
   */
  mutated(object: R): boolean {
    if (this.#shows(object.metadata.resourceVersion) || !this.put(object)) return false;
    const { namespace, name } = object.metadata;
    this.#list?.written.set(cacheKey(object), this.get(namespace, name) ?? object);
    return true;
  }

  /**
   * Removes an object that this process deleted, and ignores its earlier events, however late they arrive. Returns false
   * when the cache does not show it.
   */
  deleted(object: R): boolean {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const isCached = this.get(namespace, name)?.metadata.uid === uid;
    if (!isCached && this.#shows(resourceVersion)) return false;
    this.#tombstones.set(uid, resourceVersion);
    return isCached && this.delete(cacheKey(object));
  }

  /** Records that a list begins; it contains every earlier write by this process. */
  beginList(): void {
    this.#list = { written: new Map(), uids: new Map(), later: [], changed: new Set() };
  }

  /** Stores some of the list's objects, even over newer versions, except over this process's writes during the list. */
  addListed(objects: readonly R[]): void {
    const { written, uids, later, changed } = this.#listInProgress();
    for (const object of objects) {
      const key = cacheKey(object);
      uids.set(key, object.metadata.uid);
      if (written.has(key)) later.push(object);
      else if (this.set(object)) changed.add(key);
    }
  }

  /**
   * Removes everything that the list does not contain, except this process's writes that are newer than the list.
   * Returns the keys of the objects that changed, in the format of formatKey.
   */
  endList(version: string): Set<string> {
    const { written, uids, later, changed } = this.#listInProgress();
    this.#list = undefined;
    for (const object of later) if (this.set(object)) changed.add(cacheKey(object));
    for (const key of this.keys()) {
      if (!uids.has(key) && this.delete(key)) changed.add(key);
    }
    this.#version = version;
    this.#forgetDeletionsExcept(new Set(uids.values()));
    for (const [key, object] of written) {
      if (this.mutated(object)) changed.add(key);
    }
    return changed;
  }

  /** Deletions up to the version need no tombstone, except deletions of listed objects. */
  #forgetDeletionsExcept(listed: ReadonlySet<string>): void {
    for (const [uid, deletedAt] of this.#tombstones) {
      if (!listed.has(uid) && this.#shows(deletedAt)) this.#tombstones.delete(uid);
    }
  }

  #listInProgress(): ListInProgress<R> {
    if (!this.#list) throw new Error('no list has begun');
    return this.#list;
  }

  #shows(version: string): boolean {
    return version === this.#version || isOlderVersion(version, this.#version ?? '');
  }
}
