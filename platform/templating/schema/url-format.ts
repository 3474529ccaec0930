/** The host follows two slashes. No other scheme is allowed, because a link would act on it. */
const BEGINNING = /^https?:\/\/[^/\\?#]/i;
/** The URL parser would skip or encode these. */
const BLANK = /[\s\p{Cc}]/u;

/**
 * Whether a text is an absolute http or https URL with a host, as browsers read it (WHATWG URL); host and path may be
 * international. For links: `javascript:` and similar schemes are rejected.
 */
export function isHttpUrl(text: string): boolean {
  return BEGINNING.test(text) && !BLANK.test(text) && URL.canParse(text);
}
