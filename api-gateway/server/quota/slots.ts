import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface SlotsOptions {
  /** Slots per holder. */
  readonly most: number;
  readonly clock: Clock;
  /** Maximum wait for a slot; 0: do not wait. @default unlimited */
  readonly wait?: { readonly ms: number; readonly error: () => ApiError };
}

interface TakenSlots {
  count: number;
  /** Waiting requests, oldest first; each takes over a slot. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many requests from each holder (an API key or account) do something concurrently. Further requests wait,
 * in order.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #byKey = new Map<string, TakenSlots>();

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /**
   * Takes a slot and returns the function that frees it. Rejects with the error for waiting too long, or with the
   * signal's reason.
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const taken = this.#byKey.get(key) ?? { count: 0, waiting: new Set() };
    this.#byKey.set(key, taken);
    const { most, wait } = this.#options;
    if (taken.count < most) taken.count += 1;
    else if (wait?.ms === 0) throw wait.error();
    else await this.#wait(taken, signal);
    let isFree = false;
    return () => {
      if (!isFree) this.#free(key, taken);
      isFree = true;
    };
  }

  /** Whether the holder has a slot now. */
  isHolding(key: string): boolean {
    return (this.#byKey.get(key)?.count ?? 0) > 0;
  }

  async #wait({ waiting }: TakenSlots, signal: AbortSignal): Promise<void> {
    const { clock, wait } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const give = () => resolve();
    const fail = (error: unknown) => {
      waiting.delete(give);
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    waiting.add(give);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancel = wait && clock.schedule(wait.ms, () => fail(wait.error()));
    try {
      await promise;
    } finally {
      cancel?.();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #free(key: string, taken: TakenSlots): void {
    const [next] = taken.waiting;
    if (next) {
      taken.waiting.delete(next);
      next();
      return;
    }
    taken.count -= 1;
    if (taken.count === 0) this.#byKey.delete(key);
  }
}
