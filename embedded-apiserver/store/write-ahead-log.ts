import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncData, syncDirectorySync } from '@trifold/platform/process/durability.ts';

/**
 * Syncs SQLite's log from outside SQLite. With `synchronous = NORMAL` SQLite syncs it only before it moves it into the
 * database; with `FULL` it would block the event loop at each write (docs/adr/0033-power-cuts.md).
 */
export class WriteAheadLog {
  readonly #file: number;
  readonly #syncs: GroupSync;

  /** `database` is the path of an open database in WAL mode with an exclusive lock, which keeps the log one file. */
  constructor(database: string) {
    this.#file = openSync(`${database}-wal`, 'r');
    this.#syncs = new GroupSync(() => syncData(this.#file));
    syncDirectorySync(path.dirname(database));
  }

  /** Resolves when a power cut no longer loses the revision, which is already written. Rejects if the disk fails. */
  reach(revision: number): Promise<void> {
    return this.#syncs.reach(revision);
  }

  /** The database must be closed first; this moves the log into it. Pending calls of `reach` still resolve. */
  close(): void {
    void this.#syncs
      .idle()
      .catch(() => undefined)
      .finally(() => closeSync(this.#file));
  }
}

/**
 * Group commit: the writes that wait at the same time share one sync of the disk. One sync runs at a time, outside the
 * event loop. After a failed sync every call rejects, because the kernel may have dropped the data: only a restart shows
 * what the disk has.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  /** The latest revision that a caller waits for. */
  #requested = 0;
  /** The latest revision that `#last` covers. */
  #covered = 0;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `sync` forces everything that is written when it is called to the disk. */
  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when a power cut no longer loses the revision, which is already written. */
  reach(revision: number): Promise<void> {
    if (revision <= this.#covered) return this.#last;
    this.#requested = Math.max(this.#requested, revision);
    return (this.#next ??= this.#begin());
  }

  /** Resolves when no sync is pending. */
  idle(): Promise<void> {
    return this.#next ?? this.#last;
  }

  async #begin(): Promise<void> {
    await this.#last;
    // The writes of one turn of the event loop share a sync.
    await setImmediate();
    this.#next = undefined;
    this.#covered = this.#requested;
    this.#last = this.#sync();
    await this.#last;
  }
}
