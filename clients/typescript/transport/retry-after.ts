/**
 * Parses a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3), to milliseconds. Returns undefined if it is
 * missing or invalid.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
