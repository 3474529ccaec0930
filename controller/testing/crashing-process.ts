import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { AS_OF_KEY } from '@trifold/platform/records/usage/stored-totals.ts';
import { STORED_BYTES_KEY } from '@trifold/platform/records/usage/stored-totals.ts';
import type { RenderQueue } from '@trifold/platform/render-queue/port.ts';
import type { ServiceOptions } from './controller-fixture.ts';

/** Never settles: the result of every call of a process that has died. */
export const FOREVER = new Promise<never>(() => undefined);

/**
 * A process that dies at its n-th step. Steps are its effects on the outside: writes to the API server, to the store
 * and to the queue. The step at which it dies either takes effect, unseen by the process, or does not.
 */
export class CrashingProcess {
  steps = 0;
  readonly #dies: number;
  readonly #after: boolean;

  constructor(dies: number, after: boolean) {
    this.#dies = dies;
    this.#after = after;
  }

  get dead(): boolean {
    return this.steps >= this.#dies;
  }

  async #step<T>(action: () => Promise<T>): Promise<T> {
    if (this.dead) return FOREVER;
    this.steps += 1;
    if (!this.dead) return action();
    if (this.#after) await action();
    return FOREVER;
  }

  get wrap(): NonNullable<ServiceOptions['wrap']> {
    return {
      transport: (inner): ApiTransport => ({
        send: (request) =>
          request.method === 'GET'
            ? this.dead
              ? FOREVER
              : inner.send(request)
            : this.#step(() => inner.send(request)),
      }),
      store: (inner): ObjectStore => this.store(inner),
      queue: (inner): RenderQueue => ({
        carriedDataBytes: inner.carriedDataBytes,
        add: (task) => this.#step(() => inner.add(task)),
        remove: (id) => this.#step(() => inner.remove(id)),
        state: (id) => (this.dead ? FOREVER : inner.state(id)),
        onFinished: (listener) =>
          inner.onFinished((id, outcome) => {
            if (!this.dead) listener(id, outcome);
          }),
        work: (handler, options) => inner.work(handler, options),
        depth: () => inner.depth(),
        check: () => inner.check(),
        close: () => inner.close(),
      }),
    };
  }

  store(inner: ObjectStore): ObjectStore {
    const alive = <T>(action: () => Promise<T>) => (this.dead ? FOREVER : action());
    return {
      // Repeated for ever, and changes no count.
      put: (key, body, options) =>
        key === AS_OF_KEY || key === STORED_BYTES_KEY
          ? alive(() => inner.put(key, body, options))
          : this.#step(() => inner.put(key, body, options)),
      delete: (key) => this.#step(() => inner.delete(key)),
      deletePrefix: (prefix) => this.#step(() => inner.deletePrefix(prefix)),
      head: (key) => alive(() => inner.head(key)),
      get: (key) => alive(() => inner.get(key)),
      read: (key) => alive(() => inner.read(key)),
      list: (prefix, options) => alive(() => inner.list(prefix, options)),
      pages: (prefix) => inner.pages(prefix),
      presign: (access, validForMs) => alive(() => inner.presign(access, validForMs)),
      check: () => alive(() => inner.check()),
    };
  }
}
