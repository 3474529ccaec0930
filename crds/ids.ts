import { createHash, randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, incrementBase32, ulid } from 'ulid';

/**
 * Prefixes of IDs. An ID is the name of its resource: prefix, hyphen, lowercase ULID. Compiled emails, requests, events
 * and attempts have no resource.
 */
export const ID_PREFIXES = [
  'gen',
  'tpl',
  'bat',
  'key',
  'eml',
  'req',
  // Events, deliveries of an event to a destination, attempts of such a delivery, hook destinations.
  'evt',
  'whd',
  'dlv',
  'hook',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ID = new RegExp(`^(?:${ID_PREFIXES.join('|')})-[0-7][0-9a-hjkmnp-tv-z]{25}$`);

/** Alphabet and length of an ID's random part. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARACTERS = 16;

/** RFC 3339, and therefore every path derived from a time, cannot represent a later year. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Buffered random bytes: an ID needs sixteen, and fetching them one by one costs more than the rest of the ID. */
const random = new Uint8Array(1024);
let left = 0;

/** Returns a fraction in [0, 1) with at least the five bits that one ID character needs. */
function randomFraction(): number {
  if (left === 0) left = randomFillSync(random).length;
  left -= 1;
  return (random[left] ?? 0) / 256;
}

let latest = { time: Number.NaN, text: '' };

/**
 * Returns a new ID such as `gen-01jd5x…`; its time is `now`, to the millisecond. IDs created in the same process and
 * millisecond sort in order of creation, so that "newest first" also holds for them.
 */
export function newId(prefix: IdPrefix, now: Date): string {
  const time = now.getTime();
  latest = { time, text: time === latest.time ? incrementBase32(latest.text) : ulid(time, randomFraction) };
  return `${prefix}-${latest.text.toLowerCase()}`;
}

/**
 * Returns an ID in the format of `newId`, with a random part derived from the string: the same time and string give the
 * same ID, and different strings give different IDs (80 bits of their SHA-256). So creating a resource again after a
 * crash uses the same name.
 */
export function derivedId(prefix: IdPrefix, time: Date, text: string): string {
  const digest = createHash('sha256').update(`${prefix} ${text}`).digest();
  const characters = Array.from(
    { length: RANDOM_CHARACTERS },
    (_, index) => BASE32[(digest[index] ?? 0) % 32],
  );
  return `${prefix}-${encodeTime(time.getTime()).toLowerCase()}${characters.join('')}`;
}

/** Whether the string is an ID with this prefix that Trifold created. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}-`) && timeOfId(text) !== undefined;
}

/** Returns the time in an ID (`created_at`). Undefined for a name that is not one of our IDs. */
export function timeOfId(id: string): Date | undefined {
  if (!ID.test(id)) return undefined;
  const time = decodeTime(id.slice(id.indexOf('-') + 1).toUpperCase());
  return time <= LAST_TIME_MS ? new Date(time) : undefined;
}

/** Name of a resource: a DNS subdomain (RFC 1123), as the API server requires. */
const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME_LENGTH = 253;

/** Whether a resource can have this name; otherwise no lookup is needed. */
export function isResourceName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && RESOURCE_NAME.test(name);
}
