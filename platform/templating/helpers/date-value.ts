/** A point in time, or a day when no time was given. */
export interface DateValue {
  readonly time: Date;
  readonly hasTime: boolean;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses ISO 8601 or milliseconds since 1970. A time without an offset is in UTC, on every machine. Returns undefined
 * for anything else, and for days that do not exist.
 */
export function parseDate(value: unknown): DateValue | undefined {
  if (typeof value === 'number') return existing(new Date(value), true);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (DAY.test(text)) return existing(dayOf(text), false);
  const [, day, clock, offset = 'Z'] = MOMENT.exec(text) ?? [];
  if (day === undefined || !dayOf(day)) return undefined;
  return existing(new Date(`${day}T${clock}${offset.toUpperCase()}`), true);
}

/** `Date` would read 30 February as 2 March. */
function dayOf(text: string): Date | undefined {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

function existing(time: Date | undefined, hasTime: boolean): DateValue | undefined {
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : { time, hasTime };
}
