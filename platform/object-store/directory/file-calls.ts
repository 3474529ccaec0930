import fs from 'node:fs';
import { promisify } from 'node:util';
import { ObjectStoreError } from '../port.ts';

/**
 * Calls for up to this many bytes are synchronous, because they take microseconds on a local disk: using the thread
 * pool costs the event loop several times as much as the call itself, and a document needs a dozen calls. Larger
 * transfers use the thread pool, and so does file creation, during which a file system may search for a long time.
 */
const CONCURRENCY = 256 * 1024;

/** Creates a file that no other user can read. */
export const create: (path: string) => Promise<number> = (path) => createInPool(path, 'wx', 0o600);

/** Reads `length` bytes, or fewer at the end of the file. */
export async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const left = length - filled;
    const offset = position + filled;
    const read =
      length <= CONCURRENCY
        ? fs.readSync(fd, buffer, filled, left, offset)
        : (await readInPool(fd, buffer, filled, left, offset)).bytesRead;
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** Writes all buffers in order. */
export async function writeAll(fd: number, buffers: readonly Uint8Array[]): Promise<void> {
  let left = buffers.filter((buffer) => buffer.byteLength > 0);
  const size = left.reduce((sum, buffer) => sum + buffer.byteLength, 0);
  while (left.length > 0) {
    let written = size <= CONCURRENCY ? fs.writevSync(fd, left) : (await writeInPool(fd, left)).bytesWritten;
    left = left.flatMap((buffer) => {
      const taken = Math.min(written, buffer.byteLength);
      written -= taken;
      return taken < buffer.byteLength ? [buffer.subarray(taken)] : [];
    });
  }
}

const createInPool = promisify(fs.open);
const readInPool = promisify(fs.read);
const writeInPool = promisify(fs.writev);

/** Closes or removes something that is no longer needed. Ignores errors. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Leftovers do no harm.
  }
}

/** Whether the error is a system error with one of these codes. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Converts a system error to an ObjectStoreError. */
export function storeError(what: string, error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ObjectStoreError('no_space', `object store: ${what}: no space left (${code})`, error);
  }
  // A link in place of one of the store's files or directories, or a file in place of a directory or vice versa.
  if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'EISDIR') {
    return new ObjectStoreError(
      'corrupt',
      `object store: ${what}: not a file of this store (${code})`,
      error,
    );
  }
  return new ObjectStoreError('unavailable', `object store: ${what}: ${code ?? message}`, error);
}
