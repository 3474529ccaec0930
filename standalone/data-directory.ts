import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';

const ELSEWHERE = 'set TRIFOLD_DATA to a directory that this user can write';

/** The data directory is in use by another process or unusable. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * The data directory of the standalone process. Only one process may own it. The lock belongs to the operating system,
 * which releases it when the process ends, even after a crash.
 */
export class DataDirectory {
  readonly root: string;
  readonly #lock: DatabaseSync;

  private constructor(root: string, lock: DatabaseSync) {
    this.root = root;
    this.#lock = lock;
  }

  /** Creates the directory (mode 0700) if it is missing, and takes its lock. Rejects with DataDirectoryError. */
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

  /** File of the render tasks that are in flight. */
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

  /** Releases the lock. */
  release(): void {
    this.#lock.close();
  }
}

/** Takes a file lock by an open exclusive transaction on a dedicated database; this needs no native packages. */
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
