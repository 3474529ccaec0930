/**
 * Start of a tag that may leave state behind. A longer name is a different element. In a data state of the tokenizer,
 * only this text starts such a tag (HTML, 13.2.5.6 and 13.2.5.8), so a string without it contains none, regardless of
 * the quotes, comments and elements around it.
 */
const TAG = /<(meta|link|style|body)(?![a-z0-9:_-])/gi;

/**
 * An attribute in its common form. Browsers read everything that matches exactly as written. At most one part of each
 * alternative is long, and nothing else can match what it gives back, so a failed match takes linear time.
 */
const ATTRIBUTE =
  /[\t\n\f\r ]{1,200}([a-z][a-z0-9:_.-]{0,60})(?:=(?:"([^"<]{0,100000})"|'([^'<]{0,100000})'|([\w#.,:;%+-]{1,200})(?=[\t\n\f\r >])))?(?=[\t\n\f\r />])/iy;
const TAG_END = /[\t\n\f\r ]{0,200}\/?>/y;
const MAX_ATTRIBUTES = 30;

/** Maximum number of such tags in an ordinary document. */
const MAX_TAGS = 1000;
/** In UTF-16 units. Longer documents take seconds anyway, so the 20 ms for a new page hardly matter. */
const MAX_SCANNED_LENGTH = 4 * 2 ** 20;

type Attributes = ReadonlyMap<string, string>;

const ANYWHERE = 'id|class|lang|dir|role|nonce|xml:lang|xmlns|data-[\\w.-]+|aria-[\\w-]+|item\\w+';
const HARMLESS_ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  meta: new RegExp(`^(?:${ANYWHERE}|name|property|content|charset|http-equiv|media|scheme)$`),
  link: new RegExp(
    `^(?:${ANYWHERE}|rel|href|hreflang|type|media|sizes|as|crossorigin|integrity|color|charset|referrerpolicy)$`,
  ),
  style: new RegExp(`^(?:${ANYWHERE}|type|media|rel|align|amp-[\\w-]+)$`),
  body: new RegExp(
    `^(?:${ANYWHERE}|style|bgcolor|background|(?:left|top|right|bottom)margin|margin(?:width|height)|width|height|align|offset|yahoo|vocab|typeof|on\\w+)$`,
  ),
};

/** Names of meta elements that leave no state, and names unknown to browsers. */
const HARMLESS_META =
  /^(?:viewport|author|description|generator|keywords?|robots|application-name|theme-color|format-detection|x-apple-disable-message-reformatting|handheldfriendly|mobileoptimized|mobile-web-app-capable|supported-color-schemes|progid|originator|title|subject|date|copyright|language|rating|(?:apple|msapplication|google|twitter|og|article|dc|dcterms)[-:.][\w:.-]*|)$/i;
/** Values of `http-equiv` that browsers ignore or that only affect decoding. */
const HARMLESS_EQUIV =
  /^(?:content-type|content-style-type|content-script-type|x-ua-compatible|cache-control|pragma|expires|imagetoolbar|cleartype|)$/i;
/** Color schemes that have no effect in print, which is always light. */
const LIGHT = /^(?:light|light only|only light|light dark)$/i;

/** A value that is `refresh`, or that a character reference could turn into it. */
const REFRESH = /refresh|&/i;
/** `http-equiv`, unless its value begins with a letter other than `r`. */
const COULD_REFRESH = /http-equiv(?:[\t\n\f\r ]|=["']?[\t\n\f\r r&])/i;

/** White space that a document may begin with. */
const BLANKS = '[\\t\\n\\f\\r ]{0,99}';
/** Doctypes of standards mode, and of limited quirks mode, which treats CSS the same. */
const STANDARDS = new RegExp(
  `^${BLANKS}<!doctype html(?:>|[\\t\\n\\f\\r ]{1,9}public "-//w3c//dtd (?:xhtml 1\\.[01]|html 4\\.01)(?: transitional| strict)?//en {0,9}"[\\t\\n\\f\\r ]{1,9}"https?://www\\.w3\\.org/tr/[\\w/.-]{1,99}">)`,
  'i',
);
/** A document that starts with something other than white space, a comment or a doctype (HTML, 13.2.6.4.1). */
const QUIRKS = new RegExp(`^${BLANKS}(?:<[a-z]|[a-z0-9])`, 'i');
const BASE = /<base(?![a-z0-9:_-])/i;
/** Only the first element with autofocus on a page gets the focus. Images show the focus and scroll to it. */
const AUTOFOCUS = /autofocus/i;

/** Mode in which a plain document's attributes are parsed. Undefined for a document that cannot share a page. */
export type ReadingMode = 'standards' | 'quirks' | undefined;

/**
 * Returns the mode in which a document can share a page with others. Most of the state that a document sets disappears
 * with its nodes. Printing documents one after another, on the same page and on new ones, reveals the rest
 * (`page-reuse.test.ts`, `page-reuse.deep.test.ts`):
 *
 * - Meta elements (a content security policy, a language, a color scheme, a refresh), titled stylesheets, the color of
 *   links on the body element, and autofocus apply to later documents.
 * - For the lifetime of a page, the browser caches what it has parsed from attributes, mainly inline styles and
 *   classes, and reuses it for equal attributes of later documents. Quirks mode, a base element and a content security
 *   policy change how attributes are parsed.
 *
 * Every `<meta`, `<link`, `<style` and `<body` in the text is treated as a tag. It is harmless only in an unambiguous
 * literal form. Runs in linear time: it only searches forward, and the tag search stops at the first harmful tag. A
 * harmless tag is read once, because the search continues after it. The forms contain no `<`, so an attempt ends at the
 * next `<`.
 */
export function readingMode(html: string): ReadingMode {
  if (html.length > MAX_SCANNED_LENGTH || BASE.test(html) || AUTOFOCUS.test(html)) return undefined;
  if (!everyTag(html, leavesNothing)) return undefined;
  if (STANDARDS.test(html)) return 'standards';
  return QUIRKS.test(html) ? 'quirks' : undefined;
}

/**
 * Whether a document without scripts could navigate by itself, with a refresh in any spelling. The refresh may happen
 * even after the document has been removed from its page, and would then affect the next document.
 *
 * A refresh needs the attribute name `http-equiv`, which has no other spelling, and a meta element that has it or that
 * matches no literal form. Runs in linear time: two forward searches; the second makes at most MAX_TAGS attempts.
 */
export function mayNavigate(html: string): boolean {
  if (!COULD_REFRESH.test(html)) return false;
  return html.length > MAX_SCANNED_LENGTH || !everyTag(html, stays);
}

/** Whether all tags pass. Attributes are undefined for a tag that matches no literal form. */
function everyTag(html: string, passes: (tag: string, attributes?: Attributes) => boolean): boolean {
  TAG.lastIndex = 0;
  for (let count = 0; count <= MAX_TAGS; count++) {
    const name = TAG.exec(html)?.[1]?.toLowerCase();
    if (name === undefined) return true;
    const read = readAttributes(html, TAG.lastIndex);
    if (!passes(name, read?.attributes)) return false;
    TAG.lastIndex = read?.end ?? TAG.lastIndex;
  }
  return false;
}

function readAttributes(html: string, from: number): { attributes: Attributes; end: number } | undefined {
  const attributes = new Map<string, string>();
  let end = from;
  while (attributes.size <= MAX_ATTRIBUTES) {
    ATTRIBUTE.lastIndex = end;
    const [text = '', name = '', ...values] = ATTRIBUTE.exec(html) ?? [];
    if (text === '') break;
    // Browsers use the first of two attributes with the same name.
    if (attributes.has(name.toLowerCase())) return undefined;
    attributes.set(name.toLowerCase(), values.find((value) => value !== undefined) ?? '');
    end += text.length;
  }
  TAG_END.lastIndex = end;
  return TAG_END.test(html) ? { attributes, end: TAG_END.lastIndex } : undefined;
}

function leavesNothing(tag: string, attributes?: Attributes): boolean {
  const harmless = HARMLESS_ATTRIBUTES[tag];
  if (!attributes || !harmless) return false;
  if (![...attributes.keys()].every((name) => harmless.test(name))) return false;
  return tag !== 'meta' || isHarmlessMeta(attributes);
}

function isHarmlessMeta(attributes: Attributes): boolean {
  const name = attributes.get('name') ?? '';
  if (name.toLowerCase() === 'color-scheme') return LIGHT.test(attributes.get('content') ?? '');
  return HARMLESS_META.test(name) && HARMLESS_EQUIV.test(attributes.get('http-equiv') ?? '');
}

function stays(tag: string, attributes?: Attributes): boolean {
  return tag !== 'meta' || (attributes !== undefined && !REFRESH.test(attributes.get('http-equiv') ?? ''));
}
