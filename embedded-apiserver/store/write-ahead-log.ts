import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { syncData, syncDirectorySync } from '@trifold/platform/service/durability.ts';
import { GroupSync } from './group-sync.ts';

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
