/**
 * Meta elements that say nothing to the document but what goes with its nodes. Others (a content security policy, a
 * referrer policy, a default language, a refresh …) stay with the page when its content is replaced.
 */
const HARMLESS_META =
  /^<meta\s+(?:charset=["']?[\w-]+["']?|name=["']?(?:viewport|author|description|generator|keywords|robots|application-name)["']?\s+content="[^"<>]*"|http-equiv=["']?content-type["']?\s+content="[^"<>]*")\s*\/?>$/i;

const META = /<meta\b[^>]*>?/gi;

/** Whether a page that showed this html must be given a new document before the next one. */
export function needsFreshDocument(html: string): boolean {
  for (const [tag] of html.matchAll(META)) {
    if (!HARMLESS_META.test(tag)) return true;
  }
  return false;
}
