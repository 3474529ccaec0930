/**
 * Tokens that determine where a stylesheet goes, and tokens in which a `</head` or `<body` is ignored. Each is short.
 */
const LANDMARKS = /<!--|\{\{|<\/head\b|<body\b|<(?:script|style|title|textarea|head|html|!doctype)\b/gi;

/** End tags of elements that contain only text. */
const RAW_TEXT_ENDS: Readonly<Record<string, RegExp>> = {
  '<script': /<\/script/gi,
  '<style': /<\/style/gi,
  '<title': /<\/title/gi,
  '<textarea': /<\/textarea/gi,
};

/**
 * Inserts `stylesheet` (a `<style>` element) at the end of a template's head, so that it overrides the template's own
 * styles. Also works for a template without a head, or without any HTML structure. Skips comments, raw text and
 * expressions.
 */
export function insertStylesheet(html: string, stylesheet: string): string {
  const at = new TemplateScan(html).stylesheetPosition();
  if (at !== undefined) return html.slice(0, at) + stylesheet + html.slice(at);
  return `<!doctype html><html><head><meta charset="utf-8">${stylesheet}</head><body>${html}</body></html>`;
}

/** Wraps CSS in an element. The CSS cannot close the element: to CSS, `<\/style` equals `</style`. */
export function styleElement(css: string): string {
  return `<style>${css.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}</style>`;
}

/**
 * One scan from beginning to end, in linear time: it never backtracks, and each search begins where the previous one
 * ended. A search without a match either ends the scan (comments, raw text) or happens once per kind (quotes,
 * expressions), because none of that kind follow.
 */
class TemplateScan {
  readonly #html: string;
  /** Expressions that begin after this index are not closed. */
  readonly #lastExpressionEnd: number;

  constructor(html: string) {
    this.#html = html;
    this.#lastExpressionEnd = html.lastIndexOf('}}');
  }

  /** Returns undefined if the text has no head, no body and no html element. */
  stylesheetPosition(): number | undefined {
    let opening: number | undefined;
    let from = 0;
    for (;;) {
      const landmark = search(this.#html, LANDMARKS, from);
      if (!landmark) return opening;
      const name = landmark.text.toLowerCase();
      if (name === '</head' || name === '<body') return landmark.at;
      const end = this.#constructEnd(name, landmark.end);
      if (end === undefined) return opening;
      if (isOpening(name) && this.#html[end - 1] === '>') opening = end;
      from = end;
    }
  }

  /**
   * Returns the end of the construct whose opening ends at `from`; undefined when it extends to the end of the text.
   */
  #constructEnd(name: string, from: number): number | undefined {
    if (name === '<!--') return search(this.#html, /-->/g, from)?.end;
    if (name === '{{') return this.#expressionEnd(from);
    const rawTextEnd = RAW_TEXT_ENDS[name];
    return rawTextEnd ? search(this.#html, rawTextEnd, from)?.at : this.#tagEnd(from);
  }

  #expressionEnd(from: number): number | undefined {
    const isComment = this.#html.startsWith('!--', from) || this.#html.startsWith('~!--', from);
    if (isComment) return search(this.#html, /--~?\}\}/g, from)?.end;
    return from > this.#lastExpressionEnd ? from : this.#html.indexOf('}}', from) + '}}'.length;
  }

  /**
   * Returns the end of a tag, skipping quoted values and expressions; the start of the next tag when this one is not
   * closed.
   */
  #tagEnd(from: number): number {
    let at = from;
    for (;;) {
      const sign = search(this.#html, /[<>"']|\{\{/g, at);
      if (!sign) return this.#html.length;
      if (sign.text === '<') return sign.at;
      if (sign.text === '>') return sign.end;
      if (sign.text === '{{') at = this.#expressionEnd(sign.end) ?? this.#html.length;
      // An unmatched quote is an ordinary character.
      else at = this.#html.indexOf(sign.text, sign.end) + 1 || sign.end;
    }
  }
}

function isOpening(name: string): boolean {
  return name === '<head' || name === '<html' || name === '<!doctype';
}

/** Returns the first match from `from` on. The pattern must be global, without unbounded parts. */
function search(
  text: string,
  pattern: RegExp,
  from: number,
): { readonly text: string; readonly at: number; readonly end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { text: match[0], at: match.index, end: pattern.lastIndex } : undefined;
}
