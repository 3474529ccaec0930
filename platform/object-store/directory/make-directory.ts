import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../process/durability.ts';

/**
 * Creates a directory and its missing parents, each with this mode, and syncs their entries to disk. Node's recursive
 * mkdir never returns below a directory in which no directory can be created, such as /proc, or behind a dangling link;
 * this function rejects with the system error instead.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent, mode);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
    await syncDirectory(dirname(path));
  } catch (error) {
    // A link to a directory counts as one; anything else that exists is an error.
    const there = await stat(path).catch(() => undefined);
    if (!there?.isDirectory()) throw error;
  }
}
