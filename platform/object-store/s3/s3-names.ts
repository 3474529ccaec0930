import { assertObjectKey } from '../object-key.ts';

/**
 * Ends the name of every object in the bucket. A key may also be the prefix of others (`a` and `a/b`), but MinIO hides
 * from its lists what is below an object. With the mark, which no key has, no name is the prefix of others.
 */
const MARK = '@';

/** The name in the bucket of the object of a key. */
export function nameOf(key: string): string {
  return key + MARK;
}

/** The key of an object in the bucket; undefined when this store did not put it there. */
export function keyOf(name: string): string | undefined {
  if (!name.endsWith(MARK)) return undefined;
  const key = name.slice(0, -MARK.length);
  try {
    assertObjectKey(key);
    return key;
  } catch {
    return undefined;
  }
}
