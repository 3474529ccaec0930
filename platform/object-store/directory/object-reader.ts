import { closeSync, createReadStream, fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { quietly, readAt } from './file-calls.ts';
import { corrupt, decodeTrailer, FOOTER_LENGTH, trailerLength, type ObjectTrailer } from './object-file.ts';
import type { ObjectInfo, StoredObject } from '../port.ts';

/** Objects up to this size are read in one call. */
const SMALL = 64 * 1024;
/** Maximum trailer size of an ordinary object. */
const USUAL_TRAILER = 1024;

/** Returns the properties of an open object. Closes the descriptor. */
export async function readInfo(fd: number, key: string): Promise<ObjectInfo> {
  try {
    return await infoOf(fd, key);
  } finally {
    quietly(() => closeSync(fd));
  }
}

/** Reads an open object into memory. Closes the descriptor. */
export async function readWhole(fd: number, key: string): Promise<Buffer> {
  try {
    const start = await readAt(fd, 0, SMALL);
    if (start.length < SMALL) return start.subarray(0, trailerIn(start, key).size);
    const { size } = await infoOf(fd, key);
    const rest = await readAt(fd, start.length, Math.max(0, size - start.length));
    return Buffer.concat([start.subarray(0, size), rest]);
  } finally {
    quietly(() => closeSync(fd));
  }
}

/** Returns an open object as a stream, which closes the descriptor when it ends or is destroyed. */
export async function readObject(fd: number, key: string): Promise<StoredObject> {
  try {
    const info = await infoOf(fd, key);
    if (info.size > SMALL) {
      return { info, body: createReadStream('', { fd, start: 0, end: info.size - 1 }) };
    }
    const content = await readAt(fd, 0, info.size);
    quietly(() => closeSync(fd));
    return { info, body: Readable.from(content.length > 0 ? [content] : [], { objectMode: false }) };
  } catch (error) {
    quietly(() => closeSync(fd));
    throw error;
  }
}

async function infoOf(fd: number, key: string): Promise<ObjectInfo> {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw corrupt(key);
  const tail = await readAt(fd, Math.max(0, stats.size - USUAL_TRAILER), USUAL_TRAILER);
  const length = trailerLength(tail.subarray(-FOOTER_LENGTH), stats.size);
  if (length === undefined) throw corrupt(key);
  const trailer =
    length <= tail.length ? tail.subarray(-length) : await readAt(fd, stats.size - length, length);
  return { key, ...decodeTrailer(key, trailer), lastModified: stats.mtime };
}

function trailerIn(file: Buffer, key: string): ObjectTrailer {
  const length = trailerLength(file.subarray(-FOOTER_LENGTH), file.length);
  if (length === undefined || length > file.length) throw corrupt(key);
  return decodeTrailer(key, file.subarray(-length));
}
