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
  /**
   * Objects written since the list in progress began, which that list may not contain; undefined if no list is in
   * progress.
   */
  #written: Map<string, R> | undefined;
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
    this.#written?.set(cacheKey(object), this.get(namespace, name) ?? object);
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
    this.#written = new Map();
  }

  /**
   * Replaces all objects with those in a list, even with older versions, except this process's writes that are newer
   * than the list. Returns the keys of the objects that changed, in the format of formatKey.
   */
  replace(objects: readonly R[], version: string): Set<string> {
    const changed = new Set<string>();
    const gone = new Set(this.keys());
    const uids = new Set<string>();
    for (const object of objects) {
      const key = cacheKey(object);
      gone.delete(key);
      uids.add(object.metadata.uid);
      if (this.set(object)) changed.add(key);
    }
    for (const key of gone) {
      this.delete(key);
      changed.add(key);
    }
    this.#version = version;
    for (const [uid, deletedAt] of this.#tombstones) {
      if (!uids.has(uid) && this.#shows(deletedAt)) this.#tombstones.delete(uid);
    }
    for (const [key, object] of this.#written ?? []) {
      if (this.mutated(object)) changed.add(key);
    }
    this.#written = undefined;
    return changed;
  }

  #shows(version: string): boolean {
    return version === this.#version || isOlderVersion(version, this.#version ?? '');
  }
}
