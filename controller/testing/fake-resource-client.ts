import type { Resource } from '@trifold/crds';
import { MutationCache } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';

/**
 * Resources of one kind, as an API server stores them, and a cache of them that a test can delay. Deliberately small:
 * the behavior of a real server is tested with one, next to the reconcilers.
 */
export class FakeResourceClient<R extends Resource<unknown, unknown>> {
  readonly #objects = new Map<string, R>();
  readonly #cache = new MutationCache<R>();
  #version = 100;
  /** While true, the cache shows nothing newer than its own writes. */
  held = false;
  /** Statuses in the order they were written. */
  readonly writes: R[] = [];
  /** Called before each status write; an error thrown here is the server's response. */
  beforeWrite: (() => void) | undefined;

  /** Stores an object as another client would. */
  store(object: R): R {
    return this.#keep(object);
  }

  take(name: string): void {
    const taken = this.#objects.get(name);
    this.#objects.delete(name);
    if (taken && !this.held) this.#cache.remove(taken);
  }

  release(): void {
    this.held = false;
    this.#cache.beginList();
    this.#cache.addListed([...this.#objects.values()]);
    this.#cache.endList(String(this.#version));
  }

  /** Reads from the cache. */
  get(namespace: string | undefined, name: string): R | undefined {
    return this.#cache.get(namespace, name);
  }

  /** Writes through to the cache. */
  mutated(object: R): void {
    this.#cache.mutated(object);
  }

  /** Reads from the server. */
  async find(_namespace: string | undefined, name: string): Promise<R | undefined> {
    return this.#objects.get(name);
  }

  async getText(_namespace: string | undefined, name: string): Promise<string> {
    return JSON.stringify(this.current(name));
  }

  current(name: string): R {
    const object = this.#objects.get(name);
    if (!object) throw new Error(`there is no ${name}`);
    return object;
  }

  async replaceStatus(object: R): Promise<R> {
    this.beforeWrite?.();
    const current = this.#objects.get(object.metadata.name);
    if (!current)
      throw new KubernetesApiError({
        code: 404,
        reason: 'NotFound',
        message: 'not found',
      });
    this.#expectVersion(current, object.metadata.resourceVersion);
    const { status } = structuredClone(object);
    const written = this.#keep(status === undefined ? current : { ...current, status });
    this.writes.push(written);
    return written;
  }

  #keep(object: R): R {
    this.#version += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(object.metadata.name, kept);
    if (!this.held) this.#cache.put(kept);
    return kept;
  }

  #expectVersion(current: R, version: string | undefined): void {
    if (version !== undefined && version !== current.metadata.resourceVersion) this.#conflict();
  }

  #conflict(): never {
    throw new KubernetesApiError({ code: 409, reason: 'Conflict', message: 'changed' });
  }
}
