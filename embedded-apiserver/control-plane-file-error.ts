import { SetupError } from '@trifold/platform/errors/trifold-error.ts';

/** SQLite result codes. */
export const SQLITE = { BUSY: 5, LOCKED: 6, CORRUPT: 11, FULL: 13, NOT_A_DATABASE: 26 } as const;

/** An error from SQLite or the file system. */
export type SqliteError = NodeJS.ErrnoException & { readonly errcode?: number };

/**
 * Converts an error from SQLite or the file system to a SetupError. Returns any other error unchanged, because it is a
 * bug.
 */
export function controlPlaneFileError(file: string, error: SqliteError): Error {
  if (error.errcode === undefined && error.syscall === undefined) return error;
  return new SetupError(`${file} ${problemOf(error)}`, error);
}

function problemOf(error: SqliteError): string {
  switch (error.errcode) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return 'is in use by another process: stop that process, or set TRIFOLD_DATA to another directory';
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return `is damaged (${error.message}): restore a backup, or set TRIFOLD_DATA to an empty directory`;
    case SQLITE.FULL:
      return 'cannot be written: the disk is full';
    default:
      return `cannot be opened: ${error.message}`;
  }
}
