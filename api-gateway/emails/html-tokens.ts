/** A piece of html that matters to who reads or changes it; comments and the like are passed over. */
export interface HtmlToken {
  readonly kind: 'open' | 'close' | 'text';
  /** Of an element, in lower case; empty for a text. */
  readonly name: string;
  /** The attributes of a start tag, or the text, as they are written. */
  readonly source: string;
  /** Where it begins and ends in the html. */
  readonly start: number;
  readonly end: number;
}

/** Elements whose content is not html; it is passed over. */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
]);

/** Elements without content and end tag. */
export const VOID: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

const PIECE = /<!--[^]*?(?:-->|$)|<![^>]*>|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|[^">])*)>|[^<]+|</gi;

/**
 * Takes html apart that a parser has written, as the inliner does: every element closed that can be, attributes in
 * double quotes, characters escaped where they must be. Of any other html it makes something, without an error.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const pieces = new RegExp(PIECE);
  for (let piece = pieces.exec(html); piece; piece = pieces.exec(html)) {
    const [source, slash, tag, attributes = ''] = piece;
    const start = piece.index;
    const end = start + source.length;
    if (tag === undefined) {
      if (!source.startsWith('<!')) yield { kind: 'text', name: '', source, start, end };
      continue;
    }
    const name = tag.toLowerCase();
    yield { kind: slash === '' ? 'open' : 'close', name, source: attributes, start, end };
    if (slash === '' && RAW.has(name)) pieces.lastIndex = endOfRaw(html, name, end);
  }
}

/** The value of an attribute of a start tag, as it is meant; undefined when it has none of that name. */
export function attributeOf(token: HtmlToken, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'i').exec(token.source)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
};

/** What a written text means; a parser writes these five and no other. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** A text so that it shows as it is, in the content of an element. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function endOfRaw(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}
