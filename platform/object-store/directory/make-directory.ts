import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory with those above it, each with the mode, as far as they are missing. Node's own recursive mkdir
 * never ends where a directory exists in which none can be made, such as /proc, or behind a link to nowhere; this
 * rejects with the system's error instead.
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
  } catch (error) {
    // A link to a directory is one; what else is there already is in the way.
    const there = await stat(path).catch(() => undefined);
    if (!there?.isDirectory()) throw error;
  }
}
