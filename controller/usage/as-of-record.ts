import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { writeAsOf } from '@trifold/platform/records/usage/as-of.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';

/** Age at which the record is rewritten even if nothing changed, so that a missing leader shows within a minute. */
const IDLE_MS = 50_000;

/** The time up to which the reports are complete. An idle service rewrites it once a minute. */
export class AsOfRecord {
  readonly #store: Pick<ObjectStore, 'put'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #last: { readonly changes: number; readonly writtenMs: number } | undefined;

  constructor(store: Pick<ObjectStore, 'put'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Records that the reports are complete up to this time. `changes` is how often they have changed so far. */
  async update(time: Date, changes: number): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#last;
    if (last?.changes === changes && nowMs - last.writtenMs < IDLE_MS) return;
    await writeAsOf(this.#store, time);
    this.#last = { changes, writtenMs: nowMs };
  }
}
