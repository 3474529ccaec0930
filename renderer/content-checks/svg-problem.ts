const NAMESPACE = /xmlns(?::[\w-]{1,50})?\s{0,9}=\s{0,9}["']http:\/\/www\.w3\.org\/2000\/svg["']/;
const NAME = String.raw`[a-zA-Z_][\w:.-]*`;
/** Attribute values cannot contain `<`. */
const ATTRIBUTE = String.raw`([a-zA-Z_:][\w:.-]*)\s*=\s*(?:"[^<"]*"|'[^<']*')`;
const ATTRIBUTES = new RegExp(ATTRIBUTE, 'g');
/**
 * A piece of XML: an entity, a doctype, an end tag, or a start tag with its attributes. Only one alternative applies at
 * each position, so that the search never backtracks far.
 */
const PIECE = new RegExp(
  [
    '[^<&]+',
    '&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);',
    String.raw`(&[\w.-]{1,50};)`,
    String.raw`<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>`,
    String.raw`(<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>]*)?>)`,
    String.raw`<\/(${NAME})\s*>`,
    String.raw`<(${NAME})((?:\s+${ATTRIBUTE.replace('(', '(?:')})*)\s*(\/?)>`,
  ].join('|'),
  'y',
);

/**
 * Returns the reason that a browser does not show an SVG image, as a clause: the image must be well-formed XML and
 * declare the SVG namespace. One forward scan.
 */
export function svgProblem(svg: string): string | undefined {
  const text = svg.replace(/^\ufeff/, '');
  if (!isWellFormed(text)) return 'its SVG is not well-formed XML';
  return NAMESPACE.test(text) ? undefined : 'its SVG has no xmlns="http://www.w3.org/2000/svg"';
}

function isWellFormed(xml: string): boolean {
  const structure = new XmlStructure();
  for (let at = 0; at < xml.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(xml);
    if (!piece || !structure.take(piece)) return false;
  }
  return structure.isComplete;
}

/** Allows exactly one root element. */
class XmlStructure {
  readonly #open: string[] = [];
  #hasRoot = false;
  /** A doctype can declare entities. */
  #hasDoctype = false;

  get isComplete(): boolean {
    return this.#hasRoot && this.#open.length === 0;
  }

  /** Returns whether the piece is allowed here. */
  take([, entity, doctype, end, start, attributes = '', slash]: RegExpExecArray): boolean {
    if (entity !== undefined) return this.#hasDoctype;
    if (end !== undefined) return this.#open.pop() === end;
    if (doctype !== undefined) return (this.#hasDoctype = !this.#hasRoot);
    return start === undefined || this.#start(start, attributes, slash === '/');
  }

  /** Attribute names must be unique. */
  #start(name: string, attributes: string, isEmpty: boolean): boolean {
    if (this.isComplete) return false;
    const names = Array.from(attributes.matchAll(ATTRIBUTES), ([, attribute]) => attribute);
    if (!isEmpty) this.#open.push(name);
    this.#hasRoot = true;
    return new Set(names).size === names.length;
  }
}
