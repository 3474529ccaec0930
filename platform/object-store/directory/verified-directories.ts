import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ObjectStoreError } from '../port.ts';

/** How many directories are remembered as checked. */
const REMEMBERED = 10_000;

/**
 * The directories below a root, made and checked level by level: a symbolic link among them, which this store never
 * makes, is refused, so that no key leads out of the root.
 */
export class VerifiedDirectories {
  readonly #root: string;
  readonly #verified = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether the directory of `segments` is there. */
  async has(segments: readonly string[]): Promise<boolean> {
    if (this.#verified.has(segments.join('/'))) return true;
    for (let depth = 1; depth <= segments.length; depth += 1) {
      if (!(await this.#check(segments.slice(0, depth)))) return false;
    }
    return true;
  }

  /** Makes the directory of `segments`, level by level. */
  async ensure(segments: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const level = segments.slice(0, depth);
      if (await this.#check(level)) continue;
      try {
        await mkdir(join(this.#root, ...level), { mode: 0o700 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      await this.#check(level);
    }
  }

  /** Forgets a directory that turned out to be gone, with all above it. */
  forget(segments: readonly string[]): void {
    for (let depth = 1; depth <= segments.length; depth += 1) {
      this.#verified.delete(segments.slice(0, depth).join('/'));
    }
  }

  /** Removes the directory and those above it, as far as they are empty. */
  async prune(segments: readonly string[]): Promise<void> {
    for (let depth = segments.length; depth > 0; depth -= 1) {
      const level = segments.slice(0, depth);
      try {
        await rmdir(join(this.#root, ...level));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') continue;
        // Not empty, or refused by the system: no harm in an empty directory.
        return;
      } finally {
        this.#verified.delete(level.join('/'));
      }
    }
  }

  async #check(level: readonly string[]): Promise<boolean> {
    const name = level.join('/');
    if (this.#verified.has(name)) return true;
    try {
      const stats = await lstat(join(this.#root, ...level));
      if (!stats.isDirectory()) {
        throw new ObjectStoreError('corrupt', `object store: ${name} is not a directory of this store's own`);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    this.#verified.set(name, true);
    return true;
  }
}
