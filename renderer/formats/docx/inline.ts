import {
  ExternalHyperlink,
  ImageRun,
  PageNumber,
  TextRun,
  type IImageOptions,
  type IRunOptions,
  type ParagraphChild,
} from 'docx';
import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import { isAllowedLink } from '../../pdf/file/pdf-links.ts';
import { imageOf, type Images } from './images.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { entryOf, halfPoints, hexColour, pixels, twips, xmlText } from './units.ts';

/** Properties of a text that come from the elements around it, but are not inherited as computed styles. */
interface Around {
  readonly lines: string;
  readonly background: string | undefined;
  readonly raised: string;
  readonly link: string | undefined;
}

interface TextPiece {
  readonly kind: 'text';
  text: string;
  readonly style: Style;
  readonly around: Around;
}
type Piece =
  | TextPiece
  | { readonly kind: 'break' }
  | { readonly kind: 'image'; readonly image: IImageOptions };

const NOTHING_AROUND: Around = { lines: '', background: undefined, raised: 'baseline', link: undefined };
const DRAWN = new Set(['img', 'svg']);
/** Word does not open a file that has a longer link, or one that is not a URL. */
const LONGEST_LINK = 2048;
/** Characters that URL parsing keeps but strict readers reject. */
const NOT_OF_URLS = /[\s"<>\\^`{|}]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const TOKENS = new RegExp(`(${PAGE_TOKENS.page}|${PAGE_TOKENS.pages})`, 'u');

/** Whether a node is part of a line of text. */
export function isInline({ name, style, children }: LaidOut): boolean {
  if (name === '#text' || name === 'br' || DRAWN.has(name)) return true;
  return style.display.startsWith('inline') && children.every(isInline);
}

/** Whether the nodes of a line show anything. */
export function hasContent(nodes: readonly LaidOut[]): boolean {
  return nodes.some(
    ({ name, text, style, children }) =>
      name === 'br' ||
      DRAWN.has(name) ||
      (name === '#text' &&
        (style['white-space-collapse'] === 'preserve' ? text !== '' : text.trim() !== '')) ||
      hasContent(children),
  );
}

/** Returns the texts and images of a paragraph. */
export function runsOf(nodes: readonly LaidOut[], block: Style, images: Images): ParagraphChild[] {
  const around = { ...NOTHING_AROUND, lines: block['text-decoration-line'] };
  const pieces = nodes.flatMap((node) => piecesOf(node, { style: block, around, images }));
  return collapsed(pieces).flatMap(runOf);
}

interface Surroundings {
  readonly style: Style;
  readonly around: Around;
  readonly images: Images;
}

function piecesOf(node: LaidOut, outer: Surroundings): Piece[] {
  if (node.name === 'br') return [{ kind: 'break' }];
  if (node.style.visibility !== 'visible' && node.children.length === 0) return [];
  if (DRAWN.has(node.name)) return [imagePiece(node, outer)];
  if (node.name === '#text') return textPieces(node.text, outer.style, outer.around);
  const inner = { ...outer, style: node.style, around: within(node, outer.around) };
  return node.children.flatMap((child) => piecesOf(child, inner));
}

/** Falls back to the alternative text when there is no image. */
function imagePiece(node: LaidOut, { style, around, images }: Surroundings): Piece {
  const image = imageOf(node, images);
  return image
    ? { kind: 'image', image }
    : { kind: 'text', text: node.attributes['alt'] ?? '', style, around };
}

function within({ name, style, attributes }: LaidOut, around: Around): Around {
  const { href = '' } = attributes;
  const raised = style['vertical-align'];
  return {
    lines: `${around.lines} ${style['text-decoration-line']}`,
    background: hexColour(style['background-color']) ?? around.background,
    raised: raised === 'sub' || raised === 'super' ? raised : around.raised,
    link: (name === 'a' ? linkOf(href) : undefined) ?? around.link,
  };
}

function linkOf(href: string): string | undefined {
  if (href.length > LONGEST_LINK || !isAllowedLink(href)) return undefined;
  const url = URL.parse(href)?.href.replaceAll(NOT_OF_URLS, encodeURIComponent);
  return url !== undefined && url.length <= LONGEST_LINK ? url : undefined;
}

/** Breaks lines where the text preserves its line ends. */
function textPieces(text: string, style: Style, around: Around): Piece[] {
  const lines = style['white-space-collapse'] === 'collapse' ? [text] : text.split('\n');
  return lines.flatMap((line, index): Piece[] => {
    const piece: Piece = { kind: 'text', text: line, style, around };
    return index === 0 ? [piece] : [{ kind: 'break' }, piece];
  });
}

const KEEPS_SPACES = /^preserve(?!-breaks$)/;

/** Collapses spaces as a browser does: several become one, and those at the ends of lines disappear. */
function collapsed(pieces: Piece[]): Piece[] {
  let last: TextPiece | undefined;
  let spaceBefore = true;
  const trimLast = () => {
    if (last) last.text = last.text.replace(/ $/, '');
  };
  for (const piece of pieces) {
    if (piece.kind === 'text' && KEEPS_SPACES.test(piece.style['white-space-collapse'])) {
      if (piece.text !== '') [last, spaceBefore] = [undefined, false];
    } else if (piece.kind === 'text') ({ last, spaceBefore } = collapseInto(piece, last, spaceBefore));
    else {
      if (piece.kind === 'break') trimLast();
      [last, spaceBefore] = [undefined, piece.kind === 'break'];
    }
  }
  trimLast();
  return pieces;
}

function collapseInto(piece: TextPiece, last: TextPiece | undefined, spaceBefore: boolean) {
  const text = piece.text.replaceAll(/[ \t\n\r\f]+/g, ' ');
  piece.text = spaceBefore ? text.replace(/^ /, '') : text;
  if (piece.text === '') return { last, spaceBefore };
  return { last: piece, spaceBefore: piece.text.endsWith(' ') };
}

function runOf(piece: Piece): ParagraphChild[] {
  if (piece.kind === 'break') return [new TextRun({ break: 1 })];
  if (piece.kind === 'image') return [new ImageRun(piece.image)];
  if (piece.text === '') return [];
  const runs = textRuns(piece);
  const { link } = piece.around;
  return link === undefined ? runs : [new ExternalHyperlink({ link, children: runs })];
}

function textRuns({ text, style, around }: TextPiece): TextRun[] {
  const options = { ...fontOf(style), ...aroundOf(around) };
  return text.split(TOKENS).flatMap((part) => {
    if (part === '') return [];
    if (part === PAGE_TOKENS.page) return new TextRun({ ...options, children: [PageNumber.CURRENT] });
    if (part === PAGE_TOKENS.pages) return new TextRun({ ...options, children: [PageNumber.TOTAL_PAGES] });
    const rightToLeft = RIGHT_TO_LEFT.test(part) && { rightToLeft: true };
    return new TextRun({ ...options, ...rightToLeft, text: xmlText(part) });
  });
}

export function fontOf(style: Style): IRunOptions {
  const color = hexColour(style.color);
  const spacing = twips(pixels(style['letter-spacing']));
  const name = fontName(style['font-family']);
  return {
    // East Asian text keeps the program's font: few Western fonts contain it.
    font: { ascii: name, hAnsi: name, cs: name },
    size: halfPoints(pixels(style['font-size'])),
    bold: Number(style['font-weight']) >= 600,
    italics: style['font-style'] !== 'normal',
    ...(color !== undefined && { color }),
    ...(spacing !== 0 && { characterSpacing: spacing }),
    ...(style['font-variant-caps'] === 'small-caps' && { smallCaps: true }),
  };
}

function aroundOf({ background, raised, lines }: Around): IRunOptions {
  return {
    ...(background !== undefined && { shading: { fill: background } }),
    ...(raised === 'sub' && { subScript: true }),
    ...(raised === 'super' && { superScript: true }),
    ...(lines.includes('underline') && { underline: {} }),
    ...(lines.includes('line-through') && { strike: true }),
  };
}

const GENERIC: Readonly<Record<string, string>> = {
  serif: 'Times New Roman',
  'sans-serif': 'Arial',
  monospace: 'Courier New',
  'system-ui': 'Arial',
  'ui-sans-serif': 'Arial',
};
/** Fonts that office programs have, or replace with fonts of the same widths. */
const OFFICE =
  /^(?:arial|calibri|cambria|courier new|georgia|helvetica|tahoma|times new roman|trebuchet ms|verdana)$/i;

/** Word does not support longer names. */
const LONGEST_FONT_NAME = 31;

/** Returns the first font in a list that office programs know, else the first one. */
function fontName(families: string): string {
  const names = families.split(',').map((name) => name.trim().replaceAll(/^["']|["']$/g, ''));
  const usual = names.find((name) => OFFICE.test(name));
  const [first = ''] = names;
  return xmlText(usual ?? entryOf(GENERIC, first) ?? first).slice(0, LONGEST_FONT_NAME) || 'Arial';
}
