import { text } from 'node:stream/consumers';
import { assertObjectKey } from '../object-key.ts';
import { DEFAULT_CONTENT_TYPE } from '../object-metadata.ts';
import type { ObjectInfo } from '../port.ts';
import type { HttpRequest, S3Response } from './s3-connections.ts';
import { badResponse, unless } from './s3-error.ts';
import { decodeMetadata } from './s3-metadata.ts';

/**
 * Suffix of every object name in the bucket. A key can also be the prefix of others (`a` and `a/b`), but MinIO's lists
 * hide objects below an object. With this suffix, which no key contains, no name is the prefix of another.
 */
const MARK = '@';

/** Minimum transfer rate that a put's timeout allows for. */
const MIN_BYTES_A_MS = 2 ** 20 / 1000;

/** Returns the object name in the bucket for a key. */
export function nameOf(key: string): string {
  return key + MARK;
}

/** Returns the key of an object in the bucket, or undefined if this store did not create the object. */
export function objectStoreKey(name: string): string | undefined {
  const key = name.slice(0, -MARK.length);
  return nameOf(key) === name && isValid(assertObjectKey, key) ? key : undefined;
}

/** Whether a check in `object-key.ts` accepts the string. */
export function isValid(assert: (text: string) => void, text: string): boolean {
  try {
    assert(text);
    return true;
  } catch {
    return false;
  }
}

/** Resolves like `outcome`, or with undefined if the store says that the object does not exist. */
export function orMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  return unless(outcome, (error) => error.isMissingObject, undefined);
}

/** Returns the request for a put, with a timeout that grows with the content. */
export function putRequest(body: Uint8Array | string, timeoutMs: number) {
  const content =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const request = { method: 'PUT', body: content } as const satisfies Partial<HttpRequest>;
  return { ...request, timeoutMs: timeoutMs + Math.ceil(content.length / MIN_BYTES_A_MS) };
}

/** Reads the response to a put: with `ifAbsent`, `created` is false when the object exists. */
export async function putOutcome(
  response: Promise<S3Response>,
  ifAbsent: boolean,
): Promise<{ created: boolean }> {
  const created = response.then(({ body }) => text(body)).then(() => true);
  return { created: await unless(created, ({ status }) => ifAbsent && status === 412, false) };
}

/** Returns the object properties in a response. */
export function infoOf(key: string, { headers, body }: S3Response): ObjectInfo {
  const size = Number(headers['content-length']);
  const lastModified = new Date(String(headers['last-modified']));
  if (!Number.isSafeInteger(size) || Number.isNaN(lastModified.getTime())) {
    body.destroy();
    throw badResponse(key, 'the response does not include the size or time of the object');
  }
  const contentType = headers['content-type']?.toString() ?? DEFAULT_CONTENT_TYPE;
  return { key, size, contentType, metadata: decodeMetadata(headers), lastModified };
}
