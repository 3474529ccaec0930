import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';
import type { IdPrefix } from './ids.ts';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const DRAWN_CHARACTERS = 16;

/**
 * An id as `newId` makes them, whose random part is taken from the text: the same time and text give the same id, and
 * no two texts the same (80 bits of their SHA-256). So whoever names a resource again after a crash names the same one.
 */
export function derivedId(prefix: IdPrefix, time: Date, text: string): string {
  const digest = createHash('sha256').update(`${prefix} ${text}`).digest();
  const drawn = Array.from({ length: DRAWN_CHARACTERS }, (_, place) => BASE32[(digest[place] ?? 0) % 32]);
  return `${prefix}-${encodeTime(time.getTime()).toLowerCase()}${drawn.join('')}`;
}
