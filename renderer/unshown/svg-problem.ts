const NAMESPACE = /xmlns(?::[\w-]{1,50})?\s{0,9}=\s{0,9}["']http:\/\/www\.w3\.org\/2000\/svg["']/;
/** Text between tags, up to something that may be wrong. */
const TEXT = /[^<&]*/y;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/iy;
const NAMED_ENTITY = /&[\w.-]{1,50};/y;
const TAG = /<(\/?)([a-z_][\w:.-]*)/iy;
const ATTRIBUTE = /\s+([a-z_:][\w:.-]*)\s*=\s*(?=["'])/iy;
const TAG_END = /\s*(\/?)>/y;
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const NOT_WELL_FORMED = 'its SVG is not well-formed XML';

/**
 * Returns why a browser does not show an SVG image, as a clause: it must be well-formed XML and have its namespace. One forward
 * scan; every pattern consumes what it matches, or nothing.
 */
export function svgProblem(svg: string): string | undefined {
  const text = svg.replace(/^\ufeff/, '');
  const hasDoctype = /^\s{0,99}(?:<\?[^>]{0,500}\?>\s{0,99})?<!doctype/i.test(text);
  const problem = new XmlScan(text, hasDoctype).problem();
  if (problem !== undefined) return problem;
  return NAMESPACE.test(text) ? undefined : 'its SVG has no xmlns="http://www.w3.org/2000/svg"';
}

class XmlScan {
  readonly #text: string;
  /** A doctype can declare entities. */
  readonly #hasDoctype: boolean;
  readonly #open: string[] = [];
  #elements = 0;
  #at = 0;

  constructor(text: string, hasDoctype: boolean) {
    this.#text = text;
    this.#hasDoctype = hasDoctype;
  }

  problem(): string | undefined {
    while (true) {
      this.#take(TEXT);
      if (this.#at >= this.#text.length) break;
      const isRead = this.#text[this.#at] === '&' ? this.#entity() : this.#skipped() || this.#tag();
      if (!isRead) return NOT_WELL_FORMED;
    }
    return this.#open.length === 0 && this.#elements > 0 ? undefined : NOT_WELL_FORMED;
  }

  #entity(): boolean {
    return this.#take(ENTITY) !== undefined || (this.#hasDoctype && this.#take(NAMED_ENTITY) !== undefined);
  }

  /** Consumes a comment, a section, an instruction or a doctype. */
  #skipped(): boolean {
    if (this.#elements === 0 && this.#text.startsWith('<!DOCTYPE', this.#at)) {
      const close = this.#text.indexOf('>', this.#at);
      const isInternal = this.#text.slice(this.#at, Math.max(close, this.#at)).includes('[');
      return this.#skipTo(isInternal ? ']' : '>', this.#at) && (!isInternal || this.#skipTo('>', this.#at));
    }
    const construct = SKIPPED.find(([start]) => this.#text.startsWith(start, this.#at));
    return construct !== undefined && this.#skipTo(construct[1], this.#at + construct[0].length);
  }

  #skipTo(end: string, from: number): boolean {
    const at = this.#text.indexOf(end, from);
    if (at !== -1) this.#at = at + end.length;
    return at !== -1;
  }

  #tag(): boolean {
    const [, slash, name = ''] = this.#take(TAG) ?? [];
    if (slash === undefined) return false;
    return slash === '/' ? this.#endTag(name) : this.#startTag(name);
  }

  #endTag(name: string): boolean {
    return this.#open.pop() === name && this.#take(TAG_END)?.[1] === '';
  }

  /** There is only one root. */
  #startTag(name: string): boolean {
    if ((this.#open.length === 0 && this.#elements > 0) || !this.#attributes()) return false;
    const [, empty] = this.#take(TAG_END) ?? [];
    if (empty === '') this.#open.push(name);
    this.#elements += 1;
    return empty !== undefined;
  }

  /** Names may occur once, and values contain no tag. */
  #attributes(): boolean {
    const names = new Set<string>();
    for (let match = this.#take(ATTRIBUTE); match; match = this.#take(ATTRIBUTE)) {
      const [, name = ''] = match;
      const start = this.#at + 1;
      const end = this.#text.indexOf(this.#text[this.#at] ?? '', start);
      if (end === -1 || names.has(name)) return false;
      names.add(name);
      const value = this.#text.slice(start, end);
      if (value.includes('<')) return false;
      this.#at = end + 1;
    }
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match ?? undefined;
  }
}
