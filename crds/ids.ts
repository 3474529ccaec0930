import { randomFillSync } from 'node:crypto';
import { decodeTime, incrementBase32, ulid } from 'ulid';

/**
 * Prefixes of ids; an id is the name of its resource: prefix, hyphen, lowercase ULID. Compiled emails, requests,
 * events and attempts have no resource.
 */
export const ID_PREFIXES = [
  'gen',
  'tpl',
  'bat',
  'key',
  'eml',
  'req',
  // Events, deliveries of one to one destination, attempts of such a delivery, hook destinations.
  'evt',
  'whd',
  'dlv',
  'hook',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ID = /^(?:gen|tpl|bat|key|eml|req|evt|whd|dlv|hook)-[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Later times have a year that RFC 3339, and so every path made from a time, cannot hold. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Random bytes drawn ahead: an id takes sixteen, and asking for each alone costs more than the rest of the id. */
const drawn = new Uint8Array(1024);
let left = 0;

/** A fraction in [0, 1) with the five bits that a character of an id takes. */
function randomFraction(): number {
  if (left === 0) left = randomFillSync(drawn).length;
  left -= 1;
  return (drawn[left] ?? 0) / 256;
}

let latest = { time: Number.NaN, text: '' };

/**
 * A new id such as `gen-01jd5x…`; its time is `now`, to the millisecond. Ids of one process and one millisecond are
 * in the order in which they were made, so that "newest first" holds for them too.
 */
export function newId(prefix: IdPrefix, now: Date): string {
  const time = now.getTime();
  latest = { time, text: time === latest.time ? incrementBase32(latest.text) : ulid(time, randomFraction) };
  return `${prefix}-${latest.text.toLowerCase()}`;
}

/** Whether the text is an id that Trifold made, of that prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}-`) && timeOfId(text) !== undefined;
}

/** The time inside an id (`created_at`). Undefined for a name that is not an id of ours. */
export function timeOfId(id: string): Date | undefined {
  if (!ID.test(id)) return undefined;
  const time = decodeTime(id.slice(id.indexOf('-') + 1).toUpperCase());
  return time <= LAST_TIME_MS ? new Date(time) : undefined;
}
