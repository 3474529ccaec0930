import { decodeTime, ulid } from 'ulid';

/** Prefixes of ids; an id is the name of its resource: prefix, hyphen, lowercase ULID. */
export const ID_PREFIXES = ['gen', 'tpl', 'key', 'req'] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ID = /^(?:gen|tpl|key|req)-[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A new id such as `gen-01jd5x…`; its time is `now`, to the millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return `${prefix}-${ulid(now.getTime()).toLowerCase()}`;
}

/** Whether the text is an id that Trifold made, of that prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return ID.test(text) && text.startsWith(`${prefix}-`);
}

/** The time inside an id (`created_at`). Undefined for a name that is not an id of ours. */
export function timeOfId(id: string): Date | undefined {
  if (!ID.test(id)) return undefined;
  return new Date(decodeTime(id.slice(id.indexOf('-') + 1).toUpperCase()));
}
