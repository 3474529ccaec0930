import {
  BorderStyle,
  ExternalHyperlink,
  ImageRun,
  InternalHyperlink,
  PageNumber,
  TextRun,
  UnderlineType,
  type IBorderOptions,
  type IImageOptions,
  type IRunOptions,
  type ParagraphChild,
} from 'docx';
import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import { isAllowedLink } from '../../pdf/file/pdf-links.ts';
import type { Anchors } from './anchors.ts';
import { imageOf, isImageShown, type Images } from './images.ts';
import { isDrawing, type Box, type LaidOut, type Style } from './snapshot-tree.ts';
import {
  borderOf,
  entryOf,
  fillBehind,
  fillOf,
  halfPoints,
  hexColour,
  pixels,
  SIDES,
  twips,
  xmlText,
} from './units.ts';

/** Text properties that come from the surrounding elements but are not inherited as computed styles. */
export interface Around {
  readonly lines: string;
  readonly background: string | undefined;
  /** Word draws the same border on all sides of text. */
  readonly border: IBorderOptions | undefined;
  readonly raised: string;
  /** Font size of raised or lowered text before Word makes it smaller, in CSS pixels. */
  readonly size: number | undefined;
  readonly link: Link | undefined;
  readonly isField: boolean;
  /** Color of transparent text that reveals a background. */
  readonly colour: string | undefined;
  readonly opacity: number;
}

type Link = { readonly link: string } | { readonly anchor: string };

interface TextPiece {
  readonly kind: 'text';
  text: string;
  /** Box of text on one line. */
  readonly box?: Box;
  readonly style: Style;
  readonly around: Around;
}
type Piece =
  | TextPiece
  | { readonly kind: 'break'; readonly link: Link | undefined }
  | { readonly kind: 'image'; readonly image: IImageOptions; readonly link: Link | undefined };

export const NOTHING_AROUND: Around = {
  lines: '',
  background: undefined,
  border: undefined,
  raised: 'baseline',
  size: undefined,
  link: undefined,
  isField: false,
  colour: undefined,
  opacity: 1,
};
const FIELDS = new Set(['input', 'textarea', 'select']);
/** Word does not open a file with a longer link, or with a link that is not a URL. */
const MAX_LINK_LENGTH = 2048;
/** Characters that URL parsing keeps but strict readers reject. */
const NOT_OF_URLS = /[\s"<>\\^`{|}]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const TOKENS = new RegExp(`(${PAGE_TOKENS.page}|${PAGE_TOKENS.pages})`, 'u');
const FIELDS_BY_TOKEN: Readonly<Record<string, (typeof PageNumber)[keyof typeof PageNumber]>> = {
  [PAGE_TOKENS.page]: PageNumber.CURRENT,
  [PAGE_TOKENS.pages]: PageNumber.TOTAL_PAGES,
};
/** Each of PAGE_TOKENS contains a letter between its private-use characters. */
const LETTERS = /^(?!\u{f0001}).*\p{L}/u;

/** Whether a node is part of a line of text. */
export function isInline(node: LaidOut): boolean {
  const { name, style, children } = node;
  if (name === '#text' || name === 'br' || name === '::first-letter' || isDrawing(node)) return true;
  return /^(?:inline|ruby)/.test(style.display) && children.every(isInline);
}

/** Whether a line's nodes show anything. */
export function hasContent(nodes: readonly LaidOut[]): boolean {
  return nodes.some((node) => {
    if (node.name === 'br') return true;
    if (isDrawing(node)) return isImageShown(node);
    if (node.name !== '#text') return hasContent(node.children);
    return node.style['white-space-collapse'] === 'preserve' ? node.text !== '' : node.text.trim() !== '';
  });
}

/** Input for runs in addition to their nodes. */
export interface Surroundings {
  readonly around: Around;
  readonly images: Images;
  readonly anchors: Anchors;
  /** Width for images, in CSS pixels. */
  readonly width: number;
}

/** Returns the strings and images of a paragraph. A line break at the end of a block does not add a line. */
export function runsOf(nodes: readonly LaidOut[], outer: Surroundings): ParagraphChild[] {
  const pieces = collapsed(nodes.flatMap((node) => piecesOf(node, outer)));
  const last = pieces.findLastIndex((piece) => piece.kind !== 'text' || piece.text !== '');
  const runs = pieces.filter(({ kind }, index) => index !== last || kind !== 'break').map(runOf);
  return runs.reduce<LinkedRuns[]>(joined, []).flatMap(childrenOf);
}

interface LinkedRuns {
  readonly runs: ParagraphChild[];
  readonly link: Link | undefined;
}

/** Merges the runs within an element into one link. */
function joined(all: LinkedRuns[], next: LinkedRuns): LinkedRuns[] {
  const last = all.at(-1);
  if (last && last.link === next.link) for (const run of next.runs) last.runs.push(run);
  else all.push(next);
  return all;
}

function childrenOf({ runs, link }: LinkedRuns): ParagraphChild[] {
  if (!link || runs.length === 0) return runs;
  return 'link' in link
    ? [new ExternalHyperlink({ ...link, children: runs })]
    : [new InternalHyperlink({ ...link, children: runs })];
}

function piecesOf(node: LaidOut, outer: Surroundings): Piece[] {
  if (node.name === 'br') return [{ kind: 'break', link: outer.around.link }];
  outer.anchors.note(node);
  if (node.style.visibility !== 'visible' && (node.children.length === 0 || isDrawing(node))) return [];
  if (isDrawing(node)) return [imagePiece(node, outer)];
  if (node.name === '#text') return textPieces(node, outer.around);
  const inner = { ...outer, around: within(node, outer) };
  return node.children.flatMap((child) => piecesOf(child, inner));
}

/** Falls back to the alternative text when there is no image. */
function imagePiece(node: LaidOut, { around, images, width }: Surroundings): Piece {
  const image = imageOf(node, images, width);
  if (image) return { kind: 'image', image, link: around.link };
  return { kind: 'text', text: node.attributes['alt'] ?? '', style: node.style, around };
}

/** Returns the context for a block's content. The block's background belongs to the paragraph. */
export function withinBlock(
  node: LaidOut,
  { around, anchors }: Pick<Surroundings, 'around' | 'anchors'>,
): Around {
  const { style, name, attributes } = node;
  return {
    ...around,
    lines: `${around.lines} ${style['text-decoration-line']}`,
    link: (name === 'a' ? linkOf(attributes['href'], anchors) : undefined) ?? around.link,
    colour: style['background-clip'].includes('text') ? fillBehind(style) : around.colour,
    opacity: around.opacity * Number(style.opacity),
  };
}

function within(node: LaidOut, outer: Surroundings): Around {
  const { name, style } = node;
  const around = withinBlock(node, outer);
  const raised = raisedOf(node);
  return {
    ...around,
    background: fillOf(style) ?? around.background,
    border: frameOf(style) ?? around.border,
    raised: raised ?? around.raised,
    size: raised ? pixels(style['font-size']) / RAISED_SIZE : around.size,
    isField: FIELDS.has(name) && !/^(?:checkbox|radio)$/i.test(node.attributes['type'] ?? ''),
  };
}

/** Returns the border of text that has one on all sides. */
function frameOf(style: Style): IBorderOptions | undefined {
  const [first, ...others] = SIDES.map((side) =>
    borderOf(style[`border-${side}-width`], style[`border-${side}-style`], style[`border-${side}-color`]),
  );
  return first && others.every((border) => border) ? { ...first, space: 1 } : undefined;
}

/** Word makes raised and lowered text smaller: to about this fraction of its size. */
const RAISED_SIZE = 0.65;

/** Many style sheets move `sub` and `sup` by their position instead of their alignment. */
function raisedOf({ name, style }: LaidOut): 'sub' | 'super' | undefined {
  const alignment = style['vertical-align'];
  if (alignment === 'sub' || alignment === 'super') return alignment;
  if (style.position === 'relative' && (name === 'sub' || name === 'sup'))
    return name === 'sub' ? 'sub' : 'super';
  const raise = pixels(alignment);
  if (raise === 0) return undefined;
  return raise > 0 ? 'super' : 'sub';
}

/** Browsers ignore white space around a URL, and line ends and tabs in it (URL, 4.4); page numbers have no link. */
function linkOf(text: string | undefined, anchors: Anchors): Link | undefined {
  const href = (text ?? '').trim().replaceAll(/[\t\n\r]/g, '');
  const anchor = anchors.linked(href);
  if (anchor !== undefined) return { anchor };
  if (href.length > MAX_LINK_LENGTH || !isAllowedLink(href) || TOKENS.test(href)) return undefined;
  const url = URL.parse(href)?.href.replaceAll(NOT_OF_URLS, encodeURIComponent);
  return url !== undefined && url.length <= MAX_LINK_LENGTH ? { link: url } : undefined;
}

/** Breaks lines where the text preserves its line breaks. Transparent text is omitted. */
function textPieces({ text, style, box }: LaidOut, around: Around): Piece[] {
  const isLine = box.height > 0 && box.height < pixels(style['font-size']) * 2;
  const isTransparent = hexColour(style.color) === undefined && style.color.startsWith('rgba');
  if (isTransparent && around.colour === undefined) return [];
  const lines = style['white-space-collapse'] === 'collapse' ? [text] : text.split('\n');
  return lines.flatMap((line, index): Piece[] => {
    const piece: Piece = { kind: 'text', text: line, style, around, ...(isLine && { box }) };
    return index === 0 ? [piece] : [{ kind: 'break', link: around.link }, piece];
  });
}

const KEEPS_SPACES = /^preserve(?!-breaks$)/;

/** Collapses spaces as a browser does: runs of spaces become a single space, and spaces at line ends disappear. */
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
  const collapsedText = piece.text.replaceAll(/[ \t\n\r\f]+/g, ' ');
  const text = last && !spaceBefore && hasGap(last, piece) ? ` ${collapsedText}` : collapsedText;
  piece.text = spaceBefore ? text.replace(/^ /, '') : text;
  if (piece.text === '') return { last, spaceBefore };
  return { last: piece, spaceBefore: piece.text.endsWith(' ') };
}

/** Whether margins or padding separate two strings on a line the way a space would. */
function hasGap({ box: before, style }: TextPiece, { box: after, text }: TextPiece): boolean {
  if (!before || !after || text.trim() === '' || /^\s/.test(text)) return false;
  const isSameLine = before.y < after.y + after.height && after.y < before.y + before.height;
  const [first, second] = before.x < after.x ? [before, after] : [after, before];
  return isSameLine && second.x - first.x - first.width > pixels(style['font-size']) * MIN_GAP;
}

/** Minimum width of a gap that becomes a space, as a fraction of the font size. */
const MIN_GAP = 0.2;

function runOf(piece: Piece): LinkedRuns {
  if (piece.kind === 'break') return { runs: [new TextRun({ break: 1 })], link: piece.link };
  if (piece.kind === 'image') return { runs: [new ImageRun(piece.image)], link: piece.link };
  return { runs: piece.text === '' ? [] : textRuns(piece), link: piece.around.link };
}

function textRuns({ text, style, around }: TextPiece): TextRun[] {
  const color = hexColour(style.color, around.opacity) ?? around.colour;
  const font = {
    ...fontOf(style),
    ...(color !== undefined && { color }),
    ...aroundOf(around),
    ...(around.link && LINK_STYLE),
  };
  return text.split(TOKENS).flatMap((part) => {
    if (part === '') return [];
    // Numbers and symbols take the direction of the surrounding text.
    const isRtl = RIGHT_TO_LEFT.test(part) || (style.direction === 'rtl' && !LETTERS.test(part));
    const options = { ...font, ...(isRtl && { rightToLeft: true }) };
    const field = entryOf(FIELDS_BY_TOKEN, part);
    return new TextRun({ ...options, ...(field ? { children: [field] } : { text: xmlText(part) }) });
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

/** LibreOffice recognizes links by their text style; their appearance comes from the HTML. */
const LINK_STYLE = { style: 'Hyperlink' } as const;
const FIELD_BORDER = { style: BorderStyle.SINGLE, size: 4, space: 1, color: '808080' } as const;

function aroundOf({ background, raised, size, border, lines, link, isField }: Around): IRunOptions {
  return {
    ...(background !== undefined && { shading: { fill: background } }),
    ...(border && { border }),
    ...(isField && { border: FIELD_BORDER }),
    ...(raised === 'sub' && { subScript: true }),
    ...(raised === 'super' && { superScript: true }),
    ...(size !== undefined && { size: halfPoints(size) }),
    ...(lines.includes('underline')
      ? { underline: {} }
      : link && { underline: { type: UnderlineType.NONE } }),
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
/** Fonts that office programs have, or replace with metric-compatible ones. */
const OFFICE =
  /^(?:arial|calibri|cambria|courier new|georgia|helvetica|tahoma|times new roman|trebuchet ms|verdana)$/i;

/** Word does not support longer names. */
const MAX_FONT_NAME_LENGTH = 31;

/** Returns the first font in a list that office programs know, or else the first one. */
function fontName(families: string): string {
  const names = families.split(',').map((name) => name.trim().replaceAll(/^["']|["']$/g, ''));
  const usual = names.find((name) => OFFICE.test(name));
  const [first = ''] = names;
  return xmlText(usual ?? entryOf(GENERIC, first) ?? first).slice(0, MAX_FONT_NAME_LENGTH) || 'Arial';
}
