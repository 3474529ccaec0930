import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';

const ELSEWHERE = 'set TRIFOLD_DATA to a directory that this user can write';

/** The data directory is in use by another process, or cannot be used at all. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * The directory that holds everything the standalone process keeps. Only one process at a time may own it; the lock
 * is the operating system's and goes with the process, however it ends.
 */
export class DataDirectory {
  readonly root: string;
  readonly #lock: DatabaseSync;

  private constructor(root: string, lock: DatabaseSync) {
    this.root = root;
    this.#lock = lock;
  }

  /** Creates the directory (mode 0700) when it is missing, and takes its lock. Rejects with DataDirectoryError. */
  static async open(directory: string): Promise<DataDirectory> {
    const root = path.resolve(directory);
    try {
      await makeDirectory(root, 0o700);
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (cause) {
      const reason = `the data directory ${root} cannot be made or written: ${(cause as Error).message}`;
      throw new DataDirectoryError(`${reason}: ${ELSEWHERE}`, { cause });
    }
    return new DataDirectory(root, takeLock(root));
  }

  /** Objects of the directory store. */
  get objects(): string {
    return path.join(this.root, 'objects');
  }

  /** Which render tasks are in hand. */
  get takenTasksFile(): string {
    return path.join(this.root, 'tasks-in-hand');
  }

  /** The control plane's database. */
  get controlPlaneFile(): string {
    return path.join(this.root, 'control-plane.sqlite');
  }

  /** The control plane's certificates and token. */
  get tlsDirectory(): string {
    return path.join(this.root, 'tls');
  }

  get kubeconfig(): string {
    return path.join(this.root, 'kubeconfig');
  }

  /** Gives the lock back. */
  release(): void {
    this.#lock.close();
  }
}

/** An open exclusive transaction on a database of its own: a file lock that Node offers without native packages. */
function takeLock(root: string): DatabaseSync {
  const file = path.join(root, 'lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    const { message } = cause as Error;
    throw new DataDirectoryError(`the data directory ${root} ${lockProblem(file, message)}`, { cause });
  }
}

function lockProblem(file: string, message: string): string {
  if (/locked|busy/i.test(message)) {
    return `is in use by another Trifold process: stop that one, or ${ELSEWHERE}`;
  }
  if (/not a database|malformed/i.test(message)) {
    return `has a damaged lock: remove ${file}, which holds nothing`;
  }
  return `cannot be locked: ${message}: ${ELSEWHERE}`;
}
