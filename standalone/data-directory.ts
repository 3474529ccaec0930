import { randomBytes } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLITE, type SqliteError } from '@trifold/embedded-apiserver/control-plane-file-error.ts';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';
import { replaceFile } from '@trifold/platform/process/durability.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';

const ELSEWHERE = 'set TRIFOLD_DATA to a directory that this user can write to';

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

  /** Creates the directory (mode 0700) if it is missing, and takes its lock. Rejects with SetupError. */
  static async open(directory: string): Promise<DataDirectory> {
    const root = path.resolve(directory);
    try {
      await makeDirectory(root, 0o700);
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (cause) {
      const reason = `the data directory ${root} cannot be created or written: ${(cause as Error).message}`;
      throw new SetupError(`${reason}: ${ELSEWHERE}`, cause);
    }
    return new DataDirectory(root, takeLock(root));
  }

  /** Objects in the directory store. */
  get objects(): string {
    return path.join(this.root, 'objects');
  }

  /** File with the in-flight render tasks. */
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

  /** File with the address of the HTTP API, for commands on this machine. */
  get urlFile(): string {
    return path.join(this.root, 'url');
  }

  /** Returns the secret that seals sessions; generates it on the first call. */
  sessionSecret(): Promise<string> {
    return this.#generatedOnce('session-secret');
  }

  /** Returns the secret of the key that opens webhook signing secrets; generates it on the first call. */
  webhookKey(): Promise<string> {
    return this.#generatedOnce('webhook-key');
  }

  async #generatedOnce(name: string): Promise<string> {
    const file = path.join(this.root, name);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const secret = randomBytes(32).toString('base64url');
    await replaceFile(file, secret);
    return secret;
  }

  release(): void {
    this.#lock.close();
  }
}

/**
 * Takes a file lock by keeping an exclusive transaction open on a dedicated database; this needs no native packages.
 */
function takeLock(root: string): DatabaseSync {
  const file = path.join(root, 'lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    throw new SetupError(`the data directory ${root} ${lockProblem(file, cause as SqliteError)}`, cause);
  }
}

function lockProblem(file: string, { errcode, message }: SqliteError): string {
  switch (errcode) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return `is in use by another Trifold process: stop that process, or ${ELSEWHERE}`;
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return `has a damaged lock: remove ${file}, which contains no data`;
    default:
      return `cannot be locked: ${message}: ${ELSEWHERE}`;
  }
}
