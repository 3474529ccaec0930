/**
 * How long a Retry-After header asks to wait, in milliseconds: seconds or a date (RFC 9110, 10.2.3). Undefined when
 * there is none or it is not understood.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
