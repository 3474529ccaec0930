import { assertObjectKey } from '../object-key.ts';

/**
 * Suffix of every object name in the bucket. A key can also be the prefix of others (`a` and `a/b`), but MinIO's lists
 * hide objects below an object. With this suffix, which no key contains, no name is the prefix of another.
 */
const MARK = '@';

/** Returns the object name in the bucket for a key. */
export function nameOf(key: string): string {
  return key + MARK;
}

/** Returns the key of an object in the bucket, or undefined when this store did not create the object. */
export function objectStoreKey(name: string): string | undefined {
  if (!name.endsWith(MARK)) return undefined;
  const key = name.slice(0, -MARK.length);
  try {
    assertObjectKey(key);
    return key;
  } catch {
    return undefined;
  }
}
