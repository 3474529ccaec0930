/** RFC 3339 as Go reads it: any fraction, an offset. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a string has the format its schema names. Formats that say nothing of strings always match. */
export function matchesFormat(format: string, value: string): boolean {
  if (format === 'date-time') return isDateTime(value);
  if (format === 'byte') return BASE64.test(value);
  return true;
}

/** Whether the text is an RFC 3339 time of a day that exists. */
export function isDateTime(value: string): boolean {
  const [, day, time] = DATE_TIME.exec(value) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // A day or hour that does not exist is carried over into the next one, or is no date.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}
