/** RFC 3339 as Go parses it: any fraction, with an offset. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a string matches the format of its schema. Formats that do not apply to strings always match. */
export function matchesFormat(format: string, value: string): boolean {
  if (format === 'date-time') return isDateTime(value);
  if (format === 'byte') return BASE64.test(value);
  return true;
}

/** Whether the text is an RFC 3339 time on a valid date. */
export function isDateTime(value: string): boolean {
  const [, day, time] = DATE_TIME.exec(value) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // Date moves an invalid day or hour to the next one, or returns an invalid date.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}
