/** Names its host after two slashes; in front of them no other scheme, which a link would act on. */
const BEGINNING = /^https?:\/\/[^/\\?#]/i;
/** The parser would pass over these, or encode them. */
const BLANK = /[\s\p{Cc}]/u;

/**
 * Whether a text is an absolute URL with a host, http or https, as browsers read it (WHATWG URL); host and path may be
 * international. It is meant for links, so that `javascript:` and the like are none.
 */
export function isHttpUrl(text: string): boolean {
  return BEGINNING.test(text) && !BLANK.test(text) && URL.canParse(text);
}
