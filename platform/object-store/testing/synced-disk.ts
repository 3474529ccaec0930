import fs, { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

/** The files and directories that survive a power cut, as they were when last synced, by inode. */
export class SyncedDisk {
  readonly #files = new Map<number, string>();
  readonly #directories = new Map<number, Map<string, number>>();
  readonly #latest = new Map<number, number>();
  #looks = 0;

  constructor() {
    const { fsync, fsyncSync } = fs;
    vi.spyOn(fs, 'fsync').mockImplementation((fd, done) => {
      // Data written while the sync runs may be missing.
      const record = this.#look(fd);
      fsync(fd, (error) => {
        record();
        done(error);
      });
    });
    vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
      const record = this.#look(fd);
      fsyncSync(fd);
      record();
    });
  }

  /** Returns the file's bytes; undefined if the file or a directory above it is lost. */
  read(from: string, ...path: readonly string[]): string | undefined {
    let inode: number | undefined = fs.statSync(from).ino;
    for (const name of path) {
      inode = inode === undefined ? undefined : this.#directories.get(inode)?.get(name);
    }
    return inode === undefined ? undefined : (this.#files.get(inode) ?? '');
  }

  /** Syncs of one inode may end out of order: an older state never replaces a newer one. */
  #look(fd: number): () => void {
    this.#looks += 1;
    const order = this.#looks;
    const record = this.#lookAt(fd);
    const { ino } = fs.fstatSync(fd);
    return () => {
      if (order < (this.#latest.get(ino) ?? 0)) return;
      this.#latest.set(ino, order);
      record();
    };
  }

  #lookAt(fd: number): () => void {
    const path = `/proc/self/fd/${fd}`;
    const stats = fs.fstatSync(fd);
    if (!stats.isDirectory()) {
      const text = readFileSync(path, 'latin1');
      return () => void this.#files.set(stats.ino, text);
    }
    const entries = readdirSync(path).flatMap((name): [string, number][] => {
      const entry = fs.lstatSync(join(path, name), { throwIfNoEntry: false });
      return entry ? [[name, entry.ino]] : [];
    });
    return () => void this.#directories.set(stats.ino, new Map(entries));
  }
}
