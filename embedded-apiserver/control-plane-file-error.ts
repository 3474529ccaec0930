const SQLITE = { BUSY: 5, LOCKED: 6, CORRUPT: 11, FULL: 13, NOT_A_DATABASE: 26 } as const;

/** The control plane's file is not usable; the message says what to do. */
export class ControlPlaneFileError extends Error {
  override readonly name = 'ControlPlaneFileError';

  /** Wraps an error of SQLite or the file system. Returns any other error unchanged: it is a bug. */
  static of(file: string, error: unknown): unknown {
    const root = rootOf(error);
    if (root.errcode === undefined && root.syscall === undefined) return error;
    return new ControlPlaneFileError(`${file} ${problemOf(root)}`, { cause: error });
  }
}

type RootError = NodeJS.ErrnoException & { readonly errcode?: number };

function problemOf(error: RootError): string {
  switch (error.errcode) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return 'is in use by another process: stop it, or set TRIFOLD_DATA to another directory';
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return `is damaged (${error.message}): restore a backup, or set TRIFOLD_DATA to an empty directory`;
    case SQLITE.FULL:
      return 'cannot be written: the disk is full';
    default:
      return `cannot be opened: ${error.message}`;
  }
}

/** The original error of the file system or SQLite, below its wrappers. */
function rootOf(error: unknown): RootError {
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause === undefined ? error : rootOf(error.cause);
}
