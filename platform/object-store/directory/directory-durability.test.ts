import fs, { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DirectoryStore } from './directory-store.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

/** The files and directories that survive a power cut, as they were when last synced, by inode. */
class SyncedDisk {
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

describe.skipIf(process.platform !== 'linux')('DirectoryStore that survives power cuts', () => {
  let parent: string;
  let disk: SyncedDisk;
  let store: DirectoryStore;
  const kept = (key: string) => disk.read(parent, 'store', 'objects', ...`${key}@`.split('/'));

  beforeEach(() => {
    parent = testDirectory();
    disk = new SyncedDisk();
    store = new DirectoryStore({ root: join(parent, 'store'), durability: 'power' });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('reports an object only after its content, its name and all parent directories are on disk', async () => {
    const keys = ['top', 'a/b/c/1', 'a/b/c/2', 'a/b/c/3', 'a/x/4', 'a/b/5'];
    await Promise.all(
      keys.map(async (key) => {
        await store.put(key, `content of ${key}`, { ifAbsent: key.startsWith('a/b') });
        expect(kept(key)).toMatch(new RegExp(`^content of ${key}\\{`));
      }),
    );
    await store.put('top', 'replaced');
    expect(kept('top')).toMatch(/^replaced\{/);
  });

  it('reports an object as existing only after the put that created it is on disk', async () => {
    const put = async (text: string) => {
      const { created } = await store.put('a/1', text, { ifAbsent: true });
      return { created, kept: kept('a/1')?.slice(0, 3) };
    };
    const [first, second] = await Promise.all([put('one'), put('two')]);
    expect(first.created).not.toBe(second.created);
    expect(first.kept).toBe(first.created ? 'one' : 'two');
    expect(second.kept).toBe(first.kept);
  });

  it('syncs directories that another process created', async () => {
    await new DirectoryStore({ root: join(parent, 'store'), durability: 'process' }).put('a/b/1', 'x');
    expect(kept('a/b/1')).toBeUndefined();
    await store.put('a/b/2', 'x');
    expect(kept('a/b/2')).toMatch(/^x\{/);
  });

  it('reports a deletion only after it is on disk', async () => {
    await store.put('a/1', 'x');
    await store.delete('a/1');
    expect(kept('a/1')).toBeUndefined();
  });
});
