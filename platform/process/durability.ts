import fs, { closeSync, openSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Kind of failure that stored data survives: `power`, a power cut; `process`, only a process crash. */
export type Durability = 'power' | 'process';

/** Writes an open file to the disk, in the thread pool. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(fd, (error) => (error ? reject(error) : resolve()));
  });
}

/** Like `syncFile`, but without the file's timestamps: much cheaper for a file that keeps its size. */
export function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes the entries of a directory to the disk: files and directories that were created, renamed or removed in it. */
export async function syncDirectory(path: string): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** `syncDirectory` for process startup; it blocks the event loop. */
export function syncDirectorySync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Replaces a file that only its owner can read. After a power cut, it has either the old or the new content. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncDirectory(dirname(path));
}
