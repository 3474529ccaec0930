/** Longest delay that a Retry-After header can request. */
export const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Parses a Retry-After header, seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(httpDate(text)) - now.getTime();
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(0, milliseconds), LONGEST_RETRY_AFTER_MS);
}

/** Date.parse accepts many texts that are not HTTP dates. This is the preferred form, which servers send. */
function httpDate(text: string): string {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? text : '';
}
