import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { Element } from 'domhandler';
import { Parser } from 'htmlparser2';
import { ElementTree } from './element-tree.ts';
import { CLOSED_BY_PARSERS, nestsPlainly } from './plain-nesting.ts';

/** Nesting depth that the inliner always handles; slightly deeper nesting overflows its stack. */
export const DEEPEST_NESTING = 1400;
/**
 * Maximum number of open elements, because time grows with the square of their number. The limit is higher than the
 * inliner's because the count includes elements without an end tag, which do not always nest.
 */
const MAX_OPEN_ELEMENTS = 5000;

/** Part of an HTML string, from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The start tag of an element that can have a style attribute. */
export interface StartTag extends Range {
  /** Part of the element tree if the HTML `isPlain`. */
  readonly element: Element;
  /** The style attribute with its decoded value. */
  readonly style: (Range & { readonly value: string }) | undefined;
}

/** A style element. */
export interface StyleElement extends Range {
  readonly css: Range;
  /** Whether a browser applies the element as CSS on screens, where emails are read. */
  readonly isForScreens: boolean;
}

/** Positions of the tags that every document has, if the author wrote them. */
export interface DocumentFrame {
  /** The first tag or text. */
  first?: number;
  html?: Range;
  head?: Range;
  headEnd?: number;
  body?: Range;
  /** Start of the body: its tag, or the first content that cannot be in the head. */
  content?: number;
  bodyEnd?: number;
  htmlEnd?: number;
}

/** Parts of an HTML string that CSS inlining uses. */
export interface HtmlOutline {
  readonly frame: DocumentFrame;
  /** `html`, `body` and the elements in the body. */
  readonly tags: StartTag[];
  /** Long text between tags. */
  readonly texts: Range[];
  readonly styles: StyleElement[];
  /** Elements that link style sheets. */
  readonly sheetLinks: Range[];
  /**
   * Elements without a tag; in HTML that does not nest plainly, only `html` and `body`. Others have the `startIndex` at
   * which their tag belongs.
   */
  readonly implied: Element[];
  /** Maximum number of elements that are open at the same time. */
  depth: number;
  /** Whether every parser nests the elements as the tags say. */
  isPlain: boolean;
}

/** Minimum length, in characters, of text that is worth leaving out. */
const LONG_TEXT = 16;

/** Elements that do not begin the body. */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(
  'base basefont bgsound link meta noframes noscript script style template title'.split(' '),
);
/** Elements that are not shown and therefore need no style. */
const NOT_SHOWN: ReadonlySet<string> = new Set('base head link meta script style template title'.split(' '));

/** Reads HTML as a browser does. Throws MergeFailure when too many elements are open. */
export function outlineOf(html: string): HtmlOutline {
  return new OutlineReader(html).read();
}

class OutlineReader {
  readonly #html: string;
  readonly #parser: Parser;
  readonly #outline: HtmlOutline = {
    frame: {},
    tags: [],
    texts: [],
    styles: [],
    sheetLinks: [],
    implied: [],
    depth: 0,
    isPlain: true,
  };
  readonly #tree = new ElementTree();
  /** Number of open elements that belong to the head. */
  #openInHead = 0;
  #styleAttribute: StartTag['style'];
  #styleElement: Omit<StyleElement, 'end'> | undefined;

  constructor(html: string) {
    this.#html = html;
    this.#parser = new Parser({
      onattribute: (name, value) => this.#attribute(name, value),
      onopentag: (name, attributes, isImplied) => {
        const element = this.#enter(name, attributes, isImplied);
        if (!isImplied) this.#startTag(element);
        this.#styleAttribute = undefined;
      },
      onclosetag: (name, isImplied) => this.#endTag(name, isImplied),
      ontext: (text) => this.#text(text),
    });
  }

  read(): HtmlOutline {
    this.#parser.end(this.#html);
    const { frame, implied, isPlain } = this.#outline;
    const { html, body, impliedBodies } = this.#tree;
    if (!frame.html) implied.push(html);
    if (!frame.body) implied.push(body);
    if (isPlain) implied.push(...impliedBodies);
    for (const element of impliedBodies) element.startIndex = element.firstChild?.startIndex ?? null;
    return this.#outline;
  }

  #attribute(name: string, value: string): void {
    const { startIndex: start, endIndex: end } = this.#parser;
    // Browsers use the first of several.
    if (name === 'style') this.#styleAttribute ??= { start, end, value };
  }

  #text(text: string): void {
    const { frame, texts } = this.#outline;
    const { startIndex: start, endIndex } = this.#parser;
    if (text.length >= LONG_TEXT && text.trim() !== '') texts.push({ start, end: endIndex + 1 });
    if (frame.content !== undefined || this.#openInHead > 0 || text.trim() === '') return;
    frame.content = start;
    frame.first ??= start;
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>, isImplied: boolean): Element {
    const { frame } = this.#outline;
    const { open } = this.#tree;
    const isLate = frame.bodyEnd !== undefined || frame.htmlEnd !== undefined;
    if (isImplied || isLate || !nestsPlainly(name, open)) this.#outline.isPlain = false;
    const isInHead = frame.content === undefined && HEAD_ELEMENTS.has(name);
    const element = this.#tree.enter(name, attributes, isInHead);
    this.#outline.depth = Math.max(this.#outline.depth, open.length);
    if (open.length > MAX_OPEN_ELEMENTS) throw nestsTooDeep(open.length);
    return element;
  }

  #startTag(element: Element): void {
    const { name, attribs: attributes } = element;
    const { frame, tags, sheetLinks } = this.#outline;
    const tag = { start: this.#parser.startIndex, end: this.#parser.endIndex + 1 };
    frame.first ??= tag.start;
    this.#enterBody(name, tag);
    if (this.#isRepeated(name, tag)) this.#outline.isPlain = false;
    else if (!NOT_SHOWN.has(name)) {
      element.startIndex = tag.start;
      element.endIndex = tag.end;
      tags.push({ ...tag, element, style: this.#styleAttribute });
    }
    if (name === 'style') this.#styleElement = { ...styleElement(attributes), start: tag.start, css: tag };
    const { rel = '' } = attributes;
    if (name === 'link' && /(?:^|\s)stylesheet(?:\s|$)/i.test(rel)) sheetLinks.push(tag);
  }

  /** Browsers ignore a second `html` or `body`. */
  #isRepeated(name: string, { start }: Range): boolean {
    return (name === 'html' || name === 'body') && this.#outline.frame[name]?.start !== start;
  }

  #enterBody(name: string, tag: Range): void {
    const { frame } = this.#outline;
    if (frame.content !== undefined) return;
    if (name === 'html' || name === 'head') {
      frame[name] ??= tag;
    } else if (HEAD_ELEMENTS.has(name)) {
      this.#openInHead += 1;
    } else if (this.#openInHead === 0) {
      frame.content = tag.start;
      if (name === 'body') frame.body = tag;
    }
  }

  #leave(name: string, isImplied: boolean): void {
    this.#tree.open.pop();
    if (isImplied && !CLOSED_BY_PARSERS.has(name)) this.#outline.isPlain = false;
  }

  #endTag(name: string, isImplied: boolean): void {
    const { frame } = this.#outline;
    const { startIndex: start, endIndex } = this.#parser;
    this.#leave(name, isImplied);
    if (frame.content === undefined && HEAD_ELEMENTS.has(name)) this.#openInHead -= 1;
    if (name === 'style') this.#endStyle(isImplied ? undefined : { start, end: endIndex + 1 });
    if (isImplied) return;
    if (name === 'head' && frame.content === undefined) frame.headEnd = start;
    if (name === 'body') frame.bodyEnd = start;
    if (name === 'html') frame.htmlEnd = start;
  }

  /** `tag`: its end tag, if it has one. */
  #endStyle(tag: Range | undefined): void {
    const element = this.#styleElement;
    if (!element) return;
    const { length } = this.#html;
    const css = { start: element.css.end, end: tag?.start ?? length };
    this.#outline.styles.push({ ...element, css, end: tag?.end ?? length });
    this.#styleElement = undefined;
  }
}

function styleElement({ type = '', media = '' }: Readonly<Record<string, string>>) {
  const isCss = ['', 'text/css'].includes(type.trim().toLowerCase());
  const list = media.toLowerCase().split(',');
  return { isForScreens: isCss && list.some((medium) => ['', 'all', 'screen'].includes(medium.trim())) };
}

/** Returns the reason why the inliner failed on HTML of this depth. */
export function inlinerFailure(depth: number, cause: unknown): MergeFailure {
  if (depth > DEEPEST_NESTING) return nestsTooDeep(depth, cause);
  return tooMuchCss(cause);
}

/** The style attributes exceed the limit of the inliner or the email. */
export function tooMuchCss(cause?: unknown): MergeFailure {
  const message = 'the CSS could not be inlined: use less CSS, or fewer elements';
  return new MergeFailure('merge_failed', message, { cause });
}

function nestsTooDeep(depth: number, cause?: unknown): MergeFailure {
  const reason = `the HTML is nested too deeply, with ${depth} levels of elements; at most ${DEEPEST_NESTING} are allowed`;
  return new MergeFailure('merge_failed', `the CSS could not be inlined: ${reason}`, { cause });
}
