import { it } from 'vitest';
import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { AS_OF_KEY, STORED_BYTES_KEY } from '@trifold/platform/records/usage/stored-totals.ts';
import type { RenderQueue } from '@trifold/platform/render-queue/port.ts';

/** Never settles: the result of every call by a process that has crashed. */
export const FOREVER = new Promise<never>(() => undefined);

/** Runs a call, or does something else instead. */
export type Around = <T>(call: () => Promise<T>, key: string) => Promise<T>;

/** Returns the store with its writes wrapped in `around`, and with the other calls in `reads`. */
export function aroundWrites(
  store: ObjectStore,
  around: Around,
  reads: Around = (call) => call(),
): ObjectStore {
  return {
    put: (key, body, options) => around(() => store.put(key, body, options), key),
    delete: (key) => around(() => store.delete(key), key),
    deletePrefix: (prefix) => around(() => store.deletePrefix(prefix), prefix),
    head: (key) => reads(() => store.head(key), key),
    get: (key) => reads(() => store.get(key), key),
    read: (key) => reads(() => store.read(key), key),
    list: (prefix, options) => reads(() => store.list(prefix, options), prefix),
    pages: (prefix) => store.pages(prefix),
    presign: (access, validForMs) => reads(() => store.presign(access, validForMs), ''),
    check: () => reads(() => store.check(), ''),
  };
}

/**
 * A process that crashes at its nth step. Steps are its external effects: writes to the API server, the store and the
 * queue. The step at which it crashes either takes effect, unnoticed by the process, or does not.
 */
export class CrashingProcess {
  steps = 0;
  readonly #dies: number;
  readonly #after: boolean;
  readonly #isStep: (request: ApiRequest) => boolean;

  /** `isStep`: whether a write to the API server is a step. */
  constructor(dies: number, after: boolean, isStep: (request: ApiRequest) => boolean = () => true) {
    this.#dies = dies;
    this.#after = after;
    this.#isStep = isStep;
  }

  get dead(): boolean {
    return this.steps >= this.#dies;
  }

  readonly step: Around = async (action) => {
    if (this.dead) return FOREVER;
    this.steps += 1;
    if (!this.dead) return action();
    if (this.#after) await action();
    return FOREVER;
  };

  readonly #alive: Around = (action) => (this.dead ? FOREVER : action());

  get wrap() {
    return {
      transport: (inner: ApiTransport): ApiTransport => ({
        send: (request) => {
          const around = request.method !== 'GET' && this.#isStep(request) ? this.step : this.#alive;
          return around(() => inner.send(request), request.path);
        },
      }),
      store: (inner: ObjectStore): ObjectStore => this.store(inner),
      queue: (inner: RenderQueue): RenderQueue => ({
        carriedDataBytes: inner.carriedDataBytes,
        add: (task) => this.step(() => inner.add(task), ''),
        remove: (id) => this.step(() => inner.remove(id), ''),
        state: (id) => this.#alive(() => inner.state(id), ''),
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
    // These are repeated forever and do not change any count.
    const isCounter = (key: string) => key === AS_OF_KEY || key === STORED_BYTES_KEY;
    const write: Around = (call, key) => (isCounter(key) ? this.#alive(call, key) : this.step(call, key));
    return aroundWrites(inner, write, this.#alive);
  }
}

/** Tests what a process leaves behind if it dies at its first step, at its second step, and so on. */
export function itSurvivesEachStep(title: string, run: (process: CrashingProcess) => Promise<void>): void {
  it.each([
    ['before the step takes effect', false],
    ['after the step took effect', true],
  ])(`${title}, %s`, async (_when, after) => {
    for (let dies = 1; dies < 80; dies += 1) {
      const process = new CrashingProcess(dies, after);
      await run(process);
      if (!process.dead) return;
    }
    throw new Error('the process still dies at step 80');
  });
}
