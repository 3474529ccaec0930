import type { Clock } from '@trifold/platform/async/clock.ts';
import { EVENT, EVENT_TTL_MS } from './builtin-kinds/event.ts';
import { rangeOf, type Registry } from './store/registry.ts';

const INTERVAL_MS = 60 * 1000;

/** Maximum number of events removed in one turn of the event loop. */
const BATCH = 50;

/** Removes events one hour after their last write. */
export class EventExpiry {
  readonly #registry: Registry;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  start(): void {
    this.#expire();
    this.#cancel = this.#clock.schedule(INTERVAL_MS, () => this.start());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #expire(): void {
    if (this.#stopped) return;
    const before = this.#clock.now().getTime() - EVENT_TTL_MS;
    const keys = this.#registry.table.writtenBefore(rangeOf(EVENT.keyPrefix), before, BATCH);
    for (const key of keys) {
      const entry = this.#registry.read(key);
      if (entry) this.#registry.remove(entry);
    }
    if (keys.length === BATCH) setImmediate(() => this.#expire());
  }
}
