import { crc32 } from 'node:zlib';
import { assertMetadata, DEFAULT_CONTENT_TYPE } from '../object-metadata.ts';
import { ObjectStoreError, type PutOptions } from '../port.ts';

/**
 * An object file starts with the content, so that a PDF opens as is; then comes ObjectDescription as JSON; then a
 * fixed-length footer: magic, content length, JSON length, and a checksum of everything before it except the content.
 */
export interface ObjectDescription {
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ObjectTrailer extends ObjectDescription {
  /** Size of the content, in bytes. */
  readonly size: number;
}

const MAGIC = Buffer.from('TRIFOBJ1', 'latin1');
export const FOOTER_LENGTH = MAGIC.length + 8 + 4 + 4;

/** Returns the trailer for `size` bytes of content. Throws ObjectStoreError `invalid_metadata`. */
export function encodeTrailer(size: number, options: PutOptions): Buffer {
  assertMetadata(options);
  const description: ObjectDescription = {
    contentType: options.contentType ?? DEFAULT_CONTENT_TYPE,
    metadata: options.metadata ?? {},
  };
  const json = JSON.stringify(description);
  const length = Buffer.byteLength(json);
  const trailer = Buffer.allocUnsafe(length + FOOTER_LENGTH);
  trailer.write(json, 0, 'utf8');
  MAGIC.copy(trailer, length);
  trailer.writeBigUInt64LE(BigInt(size), length + 8);
  trailer.writeUInt32LE(length, length + 16);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, length + 20)), length + 20);
  return trailer;
}

/** Returns the trailer length in bytes, or undefined if this is not the footer of an object file. */
export function trailerLength(footer: Buffer, fileSize: number): number | undefined {
  if (footer.length !== FOOTER_LENGTH || !footer.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = footer.readUInt32LE(16) + FOOTER_LENGTH;
  return footer.readBigUInt64LE(8) + BigInt(length) === BigInt(fileSize) ? length : undefined;
}

/** Reads a trailer. Throws ObjectStoreError `corrupt`. */
export function decodeTrailer(key: string, trailer: Buffer): ObjectTrailer {
  const length = trailer.length - FOOTER_LENGTH;
  if (trailer.readUInt32LE(length + 20) !== crc32(trailer.subarray(0, length + 20))) throw corrupt(key);
  const description = JSON.parse(trailer.toString('utf8', 0, length)) as ObjectDescription;
  return { ...description, size: Number(trailer.readBigUInt64LE(length + 8)) };
}

/** Returns the error for a file that is not, or is no longer, an object. */
export function corrupt(key: string): ObjectStoreError {
  return new ObjectStoreError('corrupt', `object ${key}: the file is damaged: its trailer cannot be read`);
}
