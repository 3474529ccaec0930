import type { KubernetesObject, ObjectMeta } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/client/resource-version.ts';

/** Age after which the event of a write no longer comes: the object was deleted while the watch was disconnected. */
const FORGET_AFTER_MS = 60_000;

type Cache = Pick<Informer<KubernetesObject>, 'get' | 'onChange'>;

interface Write {
  readonly metadata: ObjectMeta;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes of this process that its cache does not show yet. */
export class OwnWrites {
  readonly #cache: Cache;
  readonly #clock: Clock;
  /** By namespace, then name. */
  readonly #unseen = new Map<string, Map<string, Write>>();

  constructor(cache: Cache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
    cache.onChange(({ namespace = '', name }) => {
      const write = this.#unseen.get(namespace)?.get(name);
      if (write && this.#isSeen(write)) this.#forget(write);
    });
  }

  /** Records a write with the metadata that the server returned; deletionTimestamp marks a deletion. */
  add(metadata: ObjectMeta): void {
    const write = { metadata, at: this.#clock.now().getTime() };
    if (this.#isSeen(write)) return;
    const { namespace = '', name } = metadata;
    const writes = this.#unseen.get(namespace) ?? new Map<string, Write>();
    writes.set(name, write);
    this.#unseen.set(namespace, writes);
  }

  /** Whether the cache shows every write in the namespace. */
  areSeen(namespace: string): boolean {
    const oldest = this.#clock.now().getTime() - FORGET_AFTER_MS;
    for (const write of this.#unseen.get(namespace)?.values() ?? []) {
      if (write.at >= oldest && !this.#isSeen(write)) return false;
      this.#forget(write);
    }
    return true;
  }

  #isSeen({ metadata }: Write): boolean {
    const { namespace, name, uid, resourceVersion, deletionTimestamp } = metadata;
    const cached = this.#cache.get(namespace, name)?.metadata;
    if (deletionTimestamp === undefined) {
      return cached !== undefined && !isOlderVersion(cached.resourceVersion, resourceVersion);
    }
    return cached?.uid !== uid || cached.deletionTimestamp !== undefined;
  }

  #forget({ metadata: { namespace = '', name } }: Write): void {
    const writes = this.#unseen.get(namespace);
    writes?.delete(name);
    if (writes?.size === 0) this.#unseen.delete(namespace);
  }
}
