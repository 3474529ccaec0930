/** RFC 3339 as Go reads it: upper-case T and Z, any fraction, an offset. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a string has the format its schema names. Formats that say nothing of strings always match. */
export function matchesFormat(format: string, value: string): boolean {
  if (format === 'date-time') return isDateTime(value);
  if (format === 'byte') return BASE64.test(value);
  return true;
}

/** Whether the text is an RFC 3339 time of a day that exists. */
export function isDateTime(value: string): boolean {
  const match = DATE_TIME.exec(value);
  if (!match) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const date = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth;
  return date && hour <= 23 && minute <= 59 && second <= 59;
}
