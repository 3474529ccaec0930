import fs from 'node:fs';
import { promisify } from 'node:util';
import { ObjectStoreError } from './port.ts';

/** The system's calls as promises on plain descriptors: half the cost of FileHandle, which counts at every document. */
export const open = promisify(fs.open);
export const close = promisify(fs.close);
export const fstat = promisify(fs.fstat);
export const link = promisify(fs.link);
export const rename = promisify(fs.rename);
export const unlink = promisify(fs.unlink);
export const readdir = promisify(fs.readdir);

/** Reads up to `length` bytes; fewer only at the end of the file. */
export async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = await readOnce(fd, buffer, filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

function readOnce(fd: number, buffer: Buffer, offset: number, position: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  fs.read(fd, buffer, offset, buffer.length - offset, position, (error, bytes) =>
    error ? reject(error) : resolve(bytes),
  );
  return promise;
}

/** Writes all of the buffers, one after the other. */
export async function writeAll(fd: number, buffers: readonly Uint8Array[]): Promise<void> {
  let left = buffers.filter((buffer) => buffer.byteLength > 0);
  while (left.length > 0) {
    let written = await writeOnce(fd, left);
    left = left.flatMap((buffer) => {
      const taken = Math.min(written, buffer.byteLength);
      written -= taken;
      return taken < buffer.byteLength ? [buffer.subarray(taken)] : [];
    });
  }
}

function writeOnce(fd: number, buffers: readonly Uint8Array[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  fs.writev(fd, buffers, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  return promise;
}

/** Closes or removes what is no longer needed, without anybody waiting for it. */
export function inBackground(work: Promise<void>): void {
  work.catch(() => {
    // A descriptor that cannot be closed or a temporary file that cannot be removed harms no object.
  });
}

/** Whether the error is the system's, with that code. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The store's error for an error of the system. */
export function storeError(what: string, error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ObjectStoreError('no_space', `object store: ${what}: no space left (${code})`, error);
  }
  // A link where a file or directory of ours should be, or the other way round.
  if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'EISDIR') {
    return new ObjectStoreError(
      'corrupt',
      `object store: ${what}: not a file of this store's own (${code})`,
      error,
    );
  }
  return new ObjectStoreError('unavailable', `object store: ${what}: ${code ?? message}`, error);
}
