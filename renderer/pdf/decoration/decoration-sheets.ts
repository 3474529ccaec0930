import {
  DECORATION_KINDS,
  decorationOn,
  type DecorationKind,
  type DecorationName,
  type Decorations,
} from '@trifold/platform/templating/decorations.ts';
import { styleElement } from '@trifold/platform/templating/merge/stylesheet.ts';
import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { Direction } from '../../browser/page/base-direction.ts';

/** A printed page's size, in points. */
export interface PageSides {
  readonly width: number;
  readonly height: number;
}

interface NumberedPages {
  readonly css?: string | undefined;
  /** The document's language and direction, as attributes of its root. */
  readonly rootAttributes?: string | undefined;
  /** Computed direction of the document's body, which CSS may set. @default from the attributes and the CSS */
  readonly direction?: Direction | undefined;
  readonly numbers?: readonly number[];
  readonly total?: number;
}

/** Headers and footers as a separate document: sheets that are drawn over another document's pages. */
export interface DecorationSheets {
  readonly html: string;
  /** Index of the first page with sheets, from 0. */
  readonly firstPage: number;
  /** For each page, the indexes of its sheets in the document. */
  readonly onPage: readonly (readonly number[])[];
}

/** A sheet is this much longer than its page, in points, so that rounding never splits it. */
const SLACK = 36;

/** CSS margin boxes of a page; a template's own content in them would appear twice. */
const MARGIN_BOXES = ['top', 'right', 'bottom', 'left'].flatMap((side) => {
  const places =
    side === 'top' || side === 'bottom' ? ['left', 'center', 'right'] : ['top', 'middle', 'bottom'];
  return places.map((place) => `${side}-${place}`);
});
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((corner) => `${corner}-corner`);
const NO_MARGIN_BOXES = [...MARGIN_BOXES, ...CORNERS]
  .map((box) => `@${box}{content:none!important}`)
  .join('');

/** The template's CSS for `html` and `body` is meant for the document, not for its header. */
const PLAIN_BOX = [
  'display:block;position:static;float:none;box-sizing:content-box;margin:0;padding:0;border:0;outline:0',
  'width:auto;height:auto;min-width:0;min-height:0;max-width:none;max-height:none;inset:auto;columns:auto',
  'background:none;box-shadow:none;overflow:visible;transform:none;translate:none;rotate:none;scale:none;zoom:1',
  'opacity:1;filter:none;clip-path:none;mask:none;contain:none;content-visibility:visible;writing-mode:horizontal-tb',
  'visibility:visible;page:auto',
]
  .join(';')
  .replaceAll(/;|$/g, '!important;');

const NO_PSEUDO_ELEMENTS = ['html', 'body']
  .map((name) => `${name}::before,${name}::after`)
  .join(',')
  .concat('{content:none!important;display:none!important}');

/**
 * Number of HTML characters after which a document of sheets ends: a footer with page numbers repeats its images for
 * every page. The HTML is assembled in one piece, which blocks the thread.
 */
const MAX_CHARACTERS = 2 ** 20;
/** Maximum number of sheets in a document: Chromium's printing time grows quadratically with their number. */
const MAX_SHEETS = 250;

/**
 * Lays out merged headers and footers as sheets: once per page size if several pages share them, otherwise once per
 * page. Their contents have PAGE_TOKENS in place of page numbers, and all their elements are closed. Many pages or
 * large contents need several documents. `css` is the template's. `numbers` are the numbers of the printed pages in a
 * document with `total` pages.
 */
export function* decorationSheets(
  decorations: Decorations,
  page: PageGeometry,
  printed: readonly PageSides[],
  { numbers, total = printed.length, ...source }: NumberedPages = {},
): Generator<DecorationSheets> {
  let layout = new Layout(decorations, page, total);
  let firstPage = 0;
  for (const [index, sides] of printed.entries()) {
    layout.add(sides, numbers?.[index] ?? index + 1);
    if (!layout.isFull && index + 1 < printed.length) continue;
    if (layout.hasSheets) yield layout.laidOut(firstPage, source);
    layout = new Layout(decorations, page, total);
    firstPage = index + 1;
  }
}

/** A header or a footer. */
interface Part {
  readonly kind: DecorationKind;
  readonly name: DecorationName;
  readonly html: string;
  /** In inches. */
  readonly height: number;
}

/** A named page of the sheets. */
interface PageType {
  readonly name: string;
  readonly sides: PageSides;
}

class Layout {
  readonly #page: PageGeometry;
  readonly #pages: number;
  readonly #decorations: Decorations;
  /** Page types by page size. */
  readonly #sizes = new Map<string, PageType>();
  /** Sheets without page numbers, by page type, contents and heights. */
  readonly #still = new Map<string, number>();
  readonly #sheets: string[] = [];
  readonly #onPage: (readonly number[])[] = [];
  #characters = 0;

  constructor(decorations: Decorations, page: PageGeometry, pages: number) {
    this.#page = page;
    this.#pages = pages;
    this.#decorations = decorations;
  }

  get hasSheets(): boolean {
    return this.#sheets.length > 0;
  }

  /** Whether the next page needs another document. */
  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS || this.#sheets.length >= MAX_SHEETS;
  }

  /** Adds a page. Pages must be added in order. */
  add(sides: PageSides, number: number): void {
    const key = `${sides.width}x${sides.height}`;
    const size = this.#sizes.get(key) ?? { name: `trifold-sheet-${this.#sizes.size}`, sides };
    this.#sizes.set(key, size);
    const sheets: number[] = [];
    const parts = this.#partsOn(number);
    const still = parts.filter(({ html }) => !counts(html));
    if (still.length > 0) sheets.push(this.#stillSheet(size, still));
    const counting = parts.filter(({ html }) => counts(html));
    if (counting.length > 0) {
      const numbered = counting.map((part) => ({
        ...part,
        html: part.html
          .replaceAll(PAGE_TOKENS.page, String(number))
          .replaceAll(PAGE_TOKENS.pages, String(this.#pages)),
      }));
      sheets.push(this.#addSheet(size, numbered));
    }
    this.#onPage.push(sheets);
  }

  /** Returns the contents that a page shows: empty contents override the common ones. */
  #partsOn(number: number): Part[] {
    const heights = number === 1 ? this.#page.firstPage : this.#page;
    return DECORATION_KINDS.flatMap((kind): Part[] => {
      const name = decorationOn(kind, this.#decorations, { number, total: this.#pages });
      const html = name && this.#decorations[name];
      return name && html && heights[kind] > 0 ? [{ kind, name, html, height: heights[kind] }] : [];
    });
  }

  #stillSheet(size: PageType, parts: readonly Part[]): number {
    const key = [size.name, ...parts.map(({ name, height }) => `${name} ${height}`)].join(' ');
    const sheet = this.#still.get(key) ?? this.#addSheet(size, parts);
    this.#still.set(key, sheet);
    return sheet;
  }

  laidOut(firstPage: number, { css = '', rootAttributes = '', direction }: NumberedPages): DecorationSheets {
    const rules = Array.from(this.#sizes.values(), pageRule).join('');
    const own = `${rules}${NO_PSEUDO_ELEMENTS}`;
    const head = `<meta charset="utf-8">${css === '' ? '' : styleElement(css)}<style>${own}</style>`;
    const style = direction ? `${PLAIN_BOX}direction:${direction}!important` : PLAIN_BOX;
    const html =
      `<!doctype html><html${rootAttributes} style="${style}"><head>${head}</head>` +
      `<body style="${style}">${this.#sheets.join('')}</body></html>`;
    return { html, firstPage, onPage: this.#onPage };
  }

  #addSheet({ name, sides }: PageType, parts: readonly Part[]): number {
    const boxes = parts.map((part) => this.#box(part, sides)).join('');
    const breaking = this.#sheets.length === 0 ? 'auto' : 'page';
    const style = `all:unset;display:block;position:relative;height:1pt;page:${name};break-before:${breaking}`;
    const sheet = `<trifold-sheet style="${important(style)}">${boxes}</trifold-sheet>`;
    this.#characters += sheet.length;
    this.#sheets.push(sheet);
    return this.#sheets.length - 1;
  }

  /** Returns a part at its position; overflowing content is cut off. */
  #box({ kind, name, html, height }: Part, sides: PageSides): string {
    const { margins } = this.#page;
    const top = kind === 'header' ? margins.top * 72 : sides.height - (margins.bottom + height) * 72;
    const width = Math.max(0, sides.width - (margins.left + margins.right) * 72);
    const place = `left:${points(margins.left * 72)};top:${points(top)};width:${points(width)};height:${points(height * 72)}`;
    const style = `all:unset;display:block;position:absolute;overflow:hidden;contain:strict;${place}`;
    return `<trifold-${kind} data-trifold-decoration="${name}" style="${important(style)}">${html}</trifold-${kind}>`;
  }
}

function pageRule({ name, sides }: PageType): string {
  const size = `${points(sides.width)} ${points(sides.height + SLACK)}`;
  const upright = 'margin:0!important;page-orientation:upright!important';
  return `@page ${name}{size:${size}!important;${upright};${NO_MARGIN_BOXES}}`;
}

function important(style: string): string {
  return `${style.replaceAll(';', '!important;')}!important`;
}

function points(value: number): string {
  return `${Number(value.toFixed(4))}pt`;
}

function counts(html: string): boolean {
  return html.includes(PAGE_TOKENS.page) || html.includes(PAGE_TOKENS.pages);
}
