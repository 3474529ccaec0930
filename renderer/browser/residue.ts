/** A tag with its attributes, quoted ones whole. */
const TAGS = /<(meta|style|link|body)(?=[\s/>]|$)((?:"[^"]*"|'[^']*'|[^"'>]+)*)>?/gi;

/** Names whose meta elements say nothing to the page itself. */
const HARMLESS_META =
  /^\s+(?:charset=["']?[\w-]+["']?|name=["']?(?:viewport|author|description|generator|keywords|robots|application-name)["']?\s+content="[^"]*"|http-equiv=["']?content-type["']?\s+content="[^"]*")\s*\/?$/i;

const HTTP_EQUIV = /http-equiv/i;
/** In words, or with a character reference that could be one of its letters. */
const REFRESH = /refresh|&/i;

/** A titled stylesheet chooses the page's preferred set of stylesheets, for good. */
const TITLED = /\btitle\b/i;
/** Colours of links and text, in the way of the nineties, are the page's too. */
const PAGE_COLOURS = /\b(?:text|[av]?link)\s*=/i;

/**
 * Whether a page that showed this html must be given a new document before the next one. Most of what a document sets
 * goes with its nodes when they are replaced; what does not was found by printing documents after one another, on the
 * same page and on new ones (see `residue.test.ts`): meta elements (a content security policy, a language, a refresh …),
 * titled stylesheets, and colours of the body element.
 */
export function needsFreshDocument(html: string): boolean {
  for (const [, tag = '', attributes = ''] of html.matchAll(TAGS)) {
    if (leavesTraces(tag.toLowerCase(), attributes)) return true;
  }
  return false;
}

/**
 * Whether a document without scripts could go elsewhere by itself: a refresh, spelt in any way. It may come as late as
 * after the document has been taken off its page, and would then take the next one with it.
 */
export function mayLeave(html: string): boolean {
  for (const [, tag = '', attributes = ''] of html.matchAll(TAGS)) {
    if (tag.toLowerCase() !== 'meta' || HARMLESS_META.test(attributes)) continue;
    if (HTTP_EQUIV.test(attributes) && REFRESH.test(attributes)) return true;
  }
  return false;
}

function leavesTraces(tag: string, attributes: string): boolean {
  if (tag === 'meta') return !HARMLESS_META.test(attributes);
  if (tag === 'body') return PAGE_COLOURS.test(attributes);
  return TITLED.test(attributes);
}
