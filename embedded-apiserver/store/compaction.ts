import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { RevisionTable } from './revision-table.ts';

/** Retention of history for watchers and paged lists (kube-apiserver `--etcd-compaction-interval`). */
export const HISTORY_MS = 5 * 60 * 1000;

const INTERVAL_MS = 30 * 1000;

/** Maximum amount of history compacted in one turn of the event loop. */
const STEP = { revisions: 500, bytes: 4 * 1024 * 1024 };

/** Deletes history older than five minutes. Runs every 30 seconds. */
export class Compaction {
  readonly #table: RevisionTable;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Latest revision at each point in time, oldest first. */
  readonly #marks: { at: number; revision: number }[] = [];
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(table: RevisionTable, clock: Clock, logger: Logger) {
    this.#table = table;
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): void {
    this.#mark();
    this.#cancel = this.#clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #mark(): number {
    const at = this.#clock.monotonicMs();
    this.#marks.push({ at, revision: this.#table.revision });
    return at;
  }

  #tick(): void {
    const now = this.#mark();
    let upTo = 0;
    while (this.#marks[0] && this.#marks[0].at <= now - HISTORY_MS) upTo = this.#marks.shift()?.revision ?? 0;
    this.#compactTo(upTo);
    this.#cancel = this.#clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  #compactTo(upTo: number): void {
    if (this.#stopped || upTo <= this.#table.compactedRevision) return;
    try {
      const reached = this.#table.compact(upTo, STEP);
      if (reached < upTo) setImmediate(() => this.#compactTo(upTo));
    } catch (err) {
      this.#logger.error({ err }, 'compaction failed, retrying');
    }
  }
}
