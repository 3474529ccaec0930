import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';
import type { IdPrefix } from './ids.ts';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARACTERS = 16;

/**
 * Returns an id in the format of `newId`, with a random part derived from the text: the same time and text give the
 * same id, and different texts give different ids (80 bits of their SHA-256). So creating a resource again after a
 * crash uses the same name.
 */
export function derivedId(prefix: IdPrefix, time: Date, text: string): string {
  const digest = createHash('sha256').update(`${prefix} ${text}`).digest();
  const random = Array.from({ length: RANDOM_CHARACTERS }, (_, index) => BASE32[(digest[index] ?? 0) % 32]);
  return `${prefix}-${encodeTime(time.getTime()).toLowerCase()}${random.join('')}`;
}
