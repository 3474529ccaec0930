import { DEFAULT_CONTENT_TYPE } from '../object-metadata.ts';
import type { ObjectInfo } from '../port.ts';
import type { S3Response } from './s3-connections.ts';
import { badAnswer, type S3Error } from './s3-error.ts';
import { decodeMetadata } from './s3-metadata.ts';

/** Minimum transfer rate that the timeout of a put allows. */
const LEAST_BYTES_A_MS = 2 ** 20 / 1000;

/** Returns a view of the content. */
export function bytesOf(body: Uint8Array | string): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Whether the store says that the object does not exist. */
export const isMissing = (error: S3Error) => error.isMissingObject;

/** Returns the timeout of a put in milliseconds. */
export function putTimeoutMs(deadlineMs: number, content: Uint8Array): number {
  return deadlineMs + Math.ceil(content.length / LEAST_BYTES_A_MS);
}

/** Returns what a response says about its object. */
export function infoOf(key: string, { headers, body }: S3Response): ObjectInfo {
  const size = Number(headers['content-length']);
  const lastModified = new Date(String(headers['last-modified']));
  if (!Number.isSafeInteger(size) || Number.isNaN(lastModified.getTime())) {
    body.destroy();
    throw badAnswer(key, 'the answer has neither size nor time of an object');
  }
  const contentType = headers['content-type']?.toString() ?? DEFAULT_CONTENT_TYPE;
  return { key, size, contentType, metadata: decodeMetadata(headers), lastModified };
}
