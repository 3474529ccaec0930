import { ObjectStoreError } from './port.ts';

/** Longest key, in bytes. */
export const KEY_LIMIT = 512;
/** Longest segment of a key, in bytes: what every file system can hold, with room for an adapter's own marks. */
export const SEGMENT_LIMIT = 200;

const SEGMENT = /^[A-Za-z0-9._-]+$/;
const PREFIX = /^[A-Za-z0-9._/-]*$/;

/** Rejects what is not a key, as the port defines keys. */
export function assertObjectKey(key: string): void {
  if (key.length > KEY_LIMIT) throw invalidKey(key, `longer than ${KEY_LIMIT} bytes`);
  for (const segment of key.split('/')) assertSegment(key, segment);
}

/** Rejects what no key can start with. The last segment may be the beginning of one. */
export function assertPrefix(prefix: string): void {
  if (prefix.length > KEY_LIMIT) throw invalidKey(prefix, `longer than ${KEY_LIMIT} bytes`);
  if (!PREFIX.test(prefix))
    throw invalidKey(prefix, 'a character other than letters, digits, "." "_" "-" "/"');
  for (const segment of prefix.split('/').slice(0, -1)) assertSegment(prefix, segment);
}

/** Rejects what cannot be the prefix of deletePrefix: it must name a whole level, never the whole store. */
export function assertLevel(prefix: string): void {
  if (!prefix.endsWith('/')) throw invalidKey(prefix, 'it must end with "/"');
  assertPrefix(prefix);
}

function assertSegment(key: string, segment: string): void {
  if (segment === '') throw invalidKey(key, 'an empty segment');
  if (segment === '.' || segment === '..') throw invalidKey(key, `the segment "${segment}"`);
  if (segment.length > SEGMENT_LIMIT) throw invalidKey(key, `a segment longer than ${SEGMENT_LIMIT} bytes`);
  if (!SEGMENT.test(segment)) {
    throw invalidKey(key, 'a character other than letters, digits, "." "_" "-" "/"');
  }
}

function invalidKey(key: string, reason: string): ObjectStoreError {
  return new ObjectStoreError('invalid_key', `object key ${JSON.stringify(key.slice(0, 100))}: ${reason}`);
}
