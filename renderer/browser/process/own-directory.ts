import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns this user's temporary directory without creating it. Other users can guess the name and create it first. */
export function temporaryDirectory(): string {
  return join(tmpdir(), `trifold-${process.getuid?.() ?? 0}`);
}

/** Whether the path is a directory, not a link to one, that only this user can write to. */
export function isOwnDirectory(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  const user = process.getuid?.() ?? stats.uid;
  return stats.uid === user && (stats.mode & 0o022) === 0;
}

/** Creates this user's temporary directory. Throws when another user's file or directory is in its place. */
export function makeTemporaryDirectory(): string {
  const directory = temporaryDirectory();
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isOwnDirectory(directory)) return directory;
  throw new Error(
    `${directory} is not a directory that only this user can write to: remove it, or set TMPDIR to another directory`,
  );
}
