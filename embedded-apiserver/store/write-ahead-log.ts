import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncData, syncDirectorySync } from '@trifold/platform/process/durability.ts';

/**
 * Syncs SQLite's log from outside SQLite. With `synchronous = NORMAL`, SQLite syncs the log only before checkpointing
 * it into the database; with `FULL`, it would block the event loop at each write (docs/adr/0033-power-cuts.md).
 */
export class WriteAheadLog {
  readonly #file: number;
  readonly #syncs: GroupSync;

  /** `database` is the path of an open database in WAL mode with an exclusive lock, which keeps the log in one file. */
  constructor(database: string) {
    this.#file = openSync(`${database}-wal`, 'r');
    this.#syncs = new GroupSync(() => syncData(this.#file));
    syncDirectorySync(path.dirname(database));
  }

  /** Resolves when the revision, which has already been written, survives a power cut. Rejects if the disk fails. */
  reach(revision: number): Promise<void> {
    return this.#syncs.reach(revision);
  }

  /** The database must be closed first, which checkpoints the log. Pending calls of `reach` still resolve. */
  close(): void {
    void this.#syncs
      .idle()
      .catch(() => undefined)
      .finally(() => closeSync(this.#file));
  }
}

/**
 * Group commit: concurrently waiting writes share one disk sync. One sync runs at a time, outside the event loop. After
 * a failed sync every call rejects, because the kernel may have dropped the data: only a restart shows what is on disk.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  /** The latest revision that a caller is waiting for. */
  #requested = 0;
  /** The latest revision that `#last` covers. */
  #covered = 0;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `sync` flushes everything written before the call to disk. */
  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when the revision, which has already been written, survives a power cut. */
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
    // Writes in one turn of the event loop share a sync.
    await setImmediate();
    this.#next = undefined;
    this.#covered = this.#requested;
    this.#last = this.#sync();
    await this.#last;
  }
}
