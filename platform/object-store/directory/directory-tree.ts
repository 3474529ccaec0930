import { lstatSync, type Dirent } from 'node:fs';
import { opendir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory, type Durability } from '../../process/durability.ts';
import { isSystemError } from './file-calls.ts';
import { VerifiedDirectories } from './verified-directories.ts';

/** Suffix of an object's file. Keys cannot contain it, so a file never collides with a directory. */
const FILE_MARK = '@';
/** Number of directory entries that are read in one call. */
const READ_AT_ONCE = 500;

interface Entry {
  /** One segment of a key. */
  readonly name: string;
  /** True for an object, false for a directory. */
  readonly isObject: boolean;
}

/** Maps keys to paths, one directory per segment. Ignores entries that the store did not create. */
export class DirectoryTree {
  readonly #root: string;
  readonly #durability: Durability;
  readonly #directories: VerifiedDirectories;

  constructor(root: string, durability: Durability) {
    this.#root = root;
    this.#durability = durability;
    this.#directories = new VerifiedDirectories(root, durability);
  }

  /** Returns the path for a new object and creates its directory. */
  async createPath(key: string): Promise<string> {
    await this.#directories.ensure(levelOf(key));
    return this.#pathOf(key);
  }

  /** Returns the path of the object, which may not exist, or undefined when its directory does not exist. */
  async find(key: string): Promise<string | undefined> {
    return (await this.#directories.has(levelOf(key))) ? this.#pathOf(key) : undefined;
  }

  /** Resolves when the creation, replacement or removal of the object is durable as configured. */
  async makeDurable(key: string): Promise<void> {
    if (this.#durability === 'process') return;
    try {
      await syncDirectory(join(this.#root, ...levelOf(key)));
    } catch (error) {
      // The directory was removed along with its last object.
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
  }

  /** Drops the cached state of a key's directories. */
  forget(key: string): void {
    this.#directories.forget(levelOf(key));
  }

  /** Removes an object and the directories that this leaves empty. */
  async delete(key: string): Promise<void> {
    const path = await this.find(key);
    if (path === undefined) return;
    if (!(await removeFile(path))) return;
    await this.makeDurable(key);
    await this.#directories.prune(levelOf(key));
  }

  /** Removes everything below a prefix that ends with `/`. Returns the number of objects. */
  async deletePrefix(prefix: string): Promise<number> {
    const level = prefix.split('/').slice(0, -1);
    if (!(await this.#directories.has(level))) return 0;
    const removed = await this.#clear(level);
    await this.#directories.prune(level);
    return removed;
  }

  /**
   * Returns the keys below a prefix in order; with `oneLevel`, only those of one level, with deeper levels as prefixes.
   */
  async list(prefix: string, oneLevel: boolean): Promise<{ keys: string[]; prefixes: string[] }> {
    const segments = prefix.split('/');
    const start = segments.pop() ?? '';
    const found = { keys: [] as string[], prefixes: [] as string[] };
    if (!(await this.#directories.has(segments))) return found;
    for await (const { name, isObject } of this.#entries(segments)) {
      if (!name.startsWith(start)) continue;
      const path = [...segments, name];
      if (isObject) found.keys.push(path.join('/'));
      else if (oneLevel) {
        if (await this.#hasObject(path)) found.prefixes.push(`${path.join('/')}/`);
      } else for await (const key of this.#walk(path)) found.keys.push(key);
    }
    found.keys.sort();
    found.prefixes.sort();
    return found;
  }

  /** Yields the keys below a prefix that ends with `/`, in any order. */
  async *keysBelow(prefix: string): AsyncGenerator<string> {
    const level = prefix.split('/').slice(0, -1);
    if (await this.#directories.has(level)) yield* this.#walk(level);
  }

  async #clear(level: readonly string[]): Promise<number> {
    let removed = 0;
    for await (const { name, isObject } of this.#entries(level)) {
      const path = [...level, name];
      if (!isObject) {
        removed += await this.#clear(path);
        await this.#directories.prune(path);
      } else if (await removeFile(this.#pathOf(path.join('/')))) removed += 1;
    }
    return removed;
  }

  async *#walk(level: readonly string[]): AsyncGenerator<string> {
    for await (const { name, isObject } of this.#entries(level)) {
      const path = [...level, name];
      if (isObject) yield path.join('/');
      else yield* this.#walk(path);
    }
  }

  async #hasObject(level: readonly string[]): Promise<boolean> {
    for await (const _ of this.#walk(level)) return true;
    return false;
  }

  /** Holds only a few entries, because a directory can have hundreds of thousands. */
  async *#entries(level: readonly string[]): AsyncGenerator<Entry> {
    const options = { bufferSize: READ_AT_ONCE };
    const directory = await opendir(join(this.#root, ...level), options).catch(undefinedWhenGone);
    if (!directory) return;
    for await (const dirent of directory) {
      const entry = entryOf(dirent);
      if (entry) yield entry;
    }
  }

  #pathOf(key: string): string {
    return join(this.#root, `${key}${FILE_MARK}`);
  }
}

function levelOf(key: string): string[] {
  return key.split('/').slice(0, -1);
}

/** Returns undefined for an entry that the store did not create. */
function entryOf(entry: Dirent): Entry | undefined {
  const { name } = entry;
  if (entry.isDirectory()) return { name, isObject: false };
  const isObject = entry.isFile() && name.endsWith(FILE_MARK);
  return isObject ? { name: name.slice(0, -FILE_MARK.length), isObject } : undefined;
}

function undefinedWhenGone(error: unknown): undefined {
  if (!isSystemError(error, 'ENOENT')) throw error;
}

/** Returns whether the file existed. Checks first, because in the common case an error costs more than the check. */
async function removeFile(path: string): Promise<boolean> {
  if (!lstatSync(path, { throwIfNoEntry: false })) return false;
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}
