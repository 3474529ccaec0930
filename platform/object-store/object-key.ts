import { ObjectStoreError } from './port.ts';

/** Maximum key length, in bytes. */
export const KEY_LIMIT = 512;
/** Maximum length of a key segment, in bytes: every file system supports it, with room for an adapter's suffixes. */
export const SEGMENT_LIMIT = 200;

const SEGMENT = /^[A-Za-z0-9._-]+$/;
const PREFIX = /^[A-Za-z0-9._/-]*$/;

/** Throws ObjectStoreError `invalid_key` unless `key` is a key as the port defines it. */
export function assertObjectKey(key: string): void {
  if (key.length > KEY_LIMIT) throw invalidKey(key, `longer than ${KEY_LIMIT} bytes`);
  for (const segment of key.split('/')) assertSegment(key, segment);
}

/** Throws ObjectStoreError `invalid_key` when no key can start with `prefix`. The last segment may be incomplete. */
export function assertPrefix(prefix: string): void {
  if (prefix.length > KEY_LIMIT) throw invalidKey(prefix, `longer than ${KEY_LIMIT} bytes`);
  if (!PREFIX.test(prefix))
    throw invalidKey(prefix, 'a character other than letters, digits, "." "_" "-" "/"');
  for (const segment of prefix.split('/').slice(0, -1)) assertSegment(prefix, segment);
}

/**
 * Throws ObjectStoreError `invalid_key` unless deletePrefix accepts `prefix`: it must name a whole level, never the
 * whole store.
 */
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
