import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { syncDirectory, type Durability } from '../../process/durability.ts';
import { ObjectStoreError } from '../port.ts';

/** Number of directories that are cached as verified. */
const REMEMBERED = 10_000;

/**
 * Creates and checks the directories below a root, level by level. Rejects symbolic links, which this store never
 * creates, so that no key can escape the root.
 */
export class VerifiedDirectories {
  readonly #root: string;
  readonly #durability: Durability;
  /** Whether the entry of each verified directory is known to be durable as configured. */
  readonly #verified = new LRUCache<string, boolean>({ max: REMEMBERED });

  constructor(root: string, durability: Durability) {
    this.#root = root;
    this.#durability = durability;
  }

  /** Whether the directory of `segments` exists. */
  async has(segments: readonly string[]): Promise<boolean> {
    if (this.#verified.has(segments.join('/'))) return true;
    for (let depth = 1; depth <= segments.length; depth += 1) {
      if (!(await this.#check(segments.slice(0, depth)))) return false;
    }
    return true;
  }

  /** Creates the directory of `segments`, level by level. */
  async ensure(segments: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const level = segments.slice(0, depth);
      if (!(await this.#check(level))) await this.#create(level);
      await this.#makeDurable(level);
    }
  }

  /** Removes from the cache a directory that no longer exists, with all its parents. */
  forget(segments: readonly string[]): void {
    for (let depth = 1; depth <= segments.length; depth += 1) {
      this.#verified.delete(segments.slice(0, depth).join('/'));
    }
  }

  /** Removes the directory and any parents that are then empty. */
  async prune(segments: readonly string[]): Promise<void> {
    for (let depth = segments.length; depth > 0; depth -= 1) {
      const level = segments.slice(0, depth);
      try {
        await rmdir(join(this.#root, ...level));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') continue;
        // It is not empty, or the system rejected the removal; an empty directory does no harm.
        return;
      } finally {
        this.#verified.delete(level.join('/'));
      }
    }
  }

  async #create(level: readonly string[]): Promise<void> {
    try {
      await mkdir(join(this.#root, ...level), { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    await this.#check(level);
  }

  /**
   * Syncs each directory once, even if another process created it: that process may have died before syncing the entry.
   */
  async #makeDurable(level: readonly string[]): Promise<void> {
    const name = level.join('/');
    if (this.#durability === 'process' || this.#verified.get(name)) return;
    await syncDirectory(join(this.#root, ...level.slice(0, -1)));
    this.#verified.set(name, true);
  }

  async #check(level: readonly string[]): Promise<boolean> {
    const name = level.join('/');
    if (this.#verified.has(name)) return true;
    try {
      const stats = await lstat(join(this.#root, ...level));
      if (!stats.isDirectory()) {
        throw new ObjectStoreError('corrupt', `object store: ${name} is not a directory of this store`);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    this.#verified.set(name, false);
    return true;
  }
}
