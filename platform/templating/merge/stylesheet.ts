/** What decides where a stylesheet goes, and what a `</head` or a `<body` in it does not count for. Each is a few letters. */
const LANDMARKS = /<!--|\{\{|<\/head\b|<body\b|<(?:script|style|title|textarea|head|html|!doctype)\b/gi;

/** Ends of elements that hold nothing but text. */
const RAW_TEXT_ENDS: Readonly<Record<string, RegExp>> = {
  '<script': /<\/script/gi,
  '<style': /<\/style/gi,
  '<title': /<\/title/gi,
  '<textarea': /<\/textarea/gi,
};

/**
 * Puts `stylesheet` (a `<style>` element) at the end of a template's head, so that it wins over the template's own
 * styles. A template without a head, or without any of html, gets them. Comments, raw text and expressions are stepped
 * over.
 */
export function insertStylesheet(html: string, stylesheet: string): string {
  const at = new TemplateScan(html).stylesheetPlace();
  if (at !== undefined) return html.slice(0, at) + stylesheet + html.slice(at);
  return `<!doctype html><html><head><meta charset="utf-8">${stylesheet}</head><body>${html}</body></html>`;
}

/** The css as an element. The css cannot end the element: to CSS, `<\/style` is what `</style` is. */
export function styleElement(css: string): string {
  return `<style>${css.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}</style>`;
}

/**
 * One scan from the beginning to the end, in linear time: it never goes back, and each search begins where the one
 * before ended. A search that finds nothing either ends the scan (comments, raw text) or happens once for each kind
 * (quotes, expressions), as there is nothing of the kind further on.
 */
class TemplateScan {
  readonly #html: string;
  /** Expressions that begin behind this have no end. */
  readonly #lastExpressionEnd: number;

  constructor(html: string) {
    this.#html = html;
    this.#lastExpressionEnd = html.lastIndexOf('}}');
  }

  /** Undefined where there is neither a head, nor a body, nor any of html. */
  stylesheetPlace(): number | undefined {
    let opening: number | undefined;
    let from = 0;
    for (;;) {
      const landmark = search(this.#html, LANDMARKS, from);
      if (!landmark) return opening;
      const name = landmark.text.toLowerCase();
      if (name === '</head' || name === '<body') return landmark.at;
      const end = this.#endOf(name, landmark.end);
      if (end === undefined) return opening;
      if (isOpening(name) && this.#html[end - 1] === '>') opening = end;
      from = end;
    }
  }

  /** Behind the construct whose beginning ends at `from`; undefined when the rest of the text belongs to it. */
  #endOf(name: string, from: number): number | undefined {
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

  /** Behind a tag, quoted values and expressions stepped over; or at the next tag where this one has no end. */
  #tagEnd(from: number): number {
    let at = from;
    for (;;) {
      const sign = search(this.#html, /[<>"']|\{\{/g, at);
      if (!sign) return this.#html.length;
      if (sign.text === '<') return sign.at;
      if (sign.text === '>') return sign.end;
      if (sign.text === '{{') at = this.#expressionEnd(sign.end) ?? this.#html.length;
      // A quote without another one is an email template as any.
      else at = this.#html.indexOf(sign.text, sign.end) + 1 || sign.end;
    }
  }
}

function isOpening(name: string): boolean {
  return name === '<head' || name === '<html' || name === '<!doctype';
}

/** The first match from `from` on. The pattern is a global one without unbounded parts. */
function search(
  text: string,
  pattern: RegExp,
  from: number,
): { readonly text: string; readonly at: number; readonly end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { text: match[0], at: match.index, end: pattern.lastIndex } : undefined;
}
