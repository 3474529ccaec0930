import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import { DRAWING_ATTRIBUTE } from '../../browser/page/page-snapshot.ts';
import type { Findings } from './findings.ts';
import { bordersOf, SLACK } from './flow.ts';
import { hasContent } from './inline.ts';
import { isDrawing, keepOnly, type LaidOut, type ParsedSnapshot, type Style } from './snapshot-tree.ts';
import { fillOf, MAX_GRADIENT } from './units.ts';

interface Unsupported {
  /** Name in the warning; undefined when an element does not use it. */
  readonly of: (node: LaidOut) => string | undefined;
  readonly consequence: string;
}

const STAYS = 'The content stays at its position in the HTML.';

/** Content that Word files cannot show, by element styles and names. docs/formats.md lists it. */
const UNSUPPORTED: readonly Unsupported[] = [
  {
    of: (node) => (isPositioned(node) ? `position: ${node.style.position}` : undefined),
    consequence: STAYS,
  },
  unless('float', 'none', STAYS),
  {
    of: ({ style }) => (hasColumns(style) ? 'columns' : undefined),
    consequence: 'The content is in one column.',
  },
  {
    of: ({ style }) => (isTurned(style) ? 'transform' : undefined),
    consequence: 'The content is not transformed.',
  },
  unless('writing-mode', 'horizontal-tb', 'The text is horizontal.'),
  {
    of: ({ style }) => (style.display === 'ruby' ? 'ruby' : undefined),
    consequence: 'An annotation follows its text.',
  },
  {
    of: ({ style }) => (style['unicode-bidi'].endsWith('override') ? 'unicode-bidi' : undefined),
    consequence: 'The characters have their usual direction.',
  },
  {
    of: ({ style }) => backgroundOf(style['background-image']),
    consequence: 'The background has the first color of the gradient, or none.',
  },
  unless('box-shadow', 'none', 'They are left out.', 'shadows'),
  unless('text-shadow', 'none', 'They are left out.', 'shadows'),
  unless('outline-style', 'none', 'It is left out.', 'outline'),
  unless('border-image-source', 'none', 'The border keeps its style and color.', 'border-image'),
  unless('-webkit-text-stroke-width', '0px', 'Only the text fill is shown.', 'text-stroke'),
  unless('mask-image', 'none', 'The content is not masked.'),
  unless('mix-blend-mode', 'normal', 'The content is not blended.'),
  {
    of: (node) => (isDrawing(node) || node.style.filter === 'none' ? undefined : 'filter'),
    consequence: 'The content is not filtered.',
  },
  {
    of: (node) => (isDrawing(node) || node.style['clip-path'] === 'none' ? undefined : 'clip-path'),
    consequence: 'The content is not clipped.',
  },
  {
    of: (node) => (isRounded(node) ? 'border-radius' : undefined),
    consequence: 'The corners are square.',
  },
  {
    of: ({ style, marker }) =>
      marker && style['list-style-image'] !== 'none' ? 'list-style-image' : undefined,
    consequence: 'The list has bullets.',
  },
  {
    of: ({ name, style }) =>
      name.startsWith('::') && /url\("(?!data:image\/(?:png|jpe?g|gif);)|gradient\(/.test(style.content)
        ? 'images in content'
        : undefined,
    consequence: 'Only PNG, JPEG and GIF are shown there.',
  },
  {
    of: (node) => (isEmbedded(node) ? `<${node.name}>` : undefined),
    consequence: 'It is left out.',
  },
  {
    of: (node) => (node.name === 'svg' && hasLink(node) ? 'links in drawings' : undefined),
    consequence: 'The image has no links.',
  },
  {
    of: (node) => (isLostDrawing(node) ? 'more or larger drawings' : undefined),
    consequence: 'A file can have at most 100 drawings, each of at most 4 million CSS pixels.',
  },
];

/** A property for which Word supports only one value. */
function unless(
  property: keyof Style,
  only: string,
  consequence: string,
  name: string = property,
): Unsupported {
  return { of: ({ style }) => (style[property] === only ? undefined : name), consequence };
}

/** Adds everything in the laid-out nodes that a Word file cannot show, such as images wider than the page. */
export function findUnsupported(root: LaidOut, findings: Findings, pageWidth: number): void {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const { of, consequence } of isVisible(node) ? UNSUPPORTED : []) {
      const what = of(node);
      if (what !== undefined) findings.unsupported(what, consequence, node);
    }
    if (isDrawing(node) && (node.visible ?? node.box).width > pageWidth + SLACK)
      findings.tooWide(node, pageWidth);
    if (node.name !== 'svg') for (const child of node.children.toReversed()) open.push(child);
  }
}

/** Removes positioned boxes without content, for example colored shapes: they would leave gaps between paragraphs. */
export function removeDecorations({ children }: LaidOut): void {
  const isDecoration = (child: LaidOut) => isPositioned(child) && !hasContent([child]);
  if (children.some(isDecoration)) keepOnly(children, (child) => !isDecoration(child));
  for (const child of children) removeDecorations(child);
}

function isPositioned({ name, style }: LaidOut): boolean {
  return name !== '#text' && /^(?:absolute|fixed)$/.test(style.position);
}

const TOKENS = new RegExp(`${PAGE_TOKENS.page}|${PAGE_TOKENS.pages}`, 'u');

/** Adds page numbers in drawings, attributes and styles of a header or footer: they are the same on every page. */
export function findLostPageNumbers({ nodes, strings }: ParsedSnapshot, findings: Findings): void {
  const isLost = (at: number | undefined) => TOKENS.test(strings[at ?? -1] ?? '');
  const isStyle = (node: number) => strings[nodes.nodeName?.[node] ?? -1] === 'STYLE';
  const inStyle = (nodes.parentIndex ?? []).some(
    (parent, node) => isStyle(parent) && isLost(nodes.nodeValue?.[node]),
  );
  if (inStyle || (nodes.attributes ?? []).some((given) => given.some(isLost)))
    findings.unsupported('page numbers in drawings, attributes and styles', 'They are left out.');
}

function isVisible(node: LaidOut): boolean {
  const { name, style, box, children } = node;
  if (name === '#text' || style.visibility !== 'visible' || isTrackingPixel(node)) return false;
  const hasLooks = isEmbedded(node) || fillOf(style) !== undefined || style['background-image'] !== 'none';
  return hasContent([node]) || hasContent(children) || (hasLooks && box.width >= 1 && box.height >= 1);
}

function isTrackingPixel(node: LaidOut): boolean {
  return isDrawing(node) && node.box.width <= 1 && node.box.height <= 1;
}

/** Other frames and objects are not loaded in any format and have a separate warning. */
function isEmbedded({ name, attributes: { srcdoc, src, data } }: LaidOut): boolean {
  if (!/^(?:iframe|object|embed)$/.test(name)) return false;
  return srcdoc !== undefined || /^\s*data:/i.test((name === 'object' ? data : src) ?? '');
}

function hasColumns(style: Style): boolean {
  return Number(style['column-count']) > 1 || style['column-width'] !== 'auto';
}

/** A transition between states leaves `matrix(1, 0, 0, 1, 0, 0)`. */
function isTurned({ transform, rotate }: Style): boolean {
  return rotate !== 'none' || !/^(?:none|matrix\(1, 0, 0, 1, 0, 0\))$/.test(transform);
}

/** Images keep their round corners. Browsers round the corners of form controls by default. */
function isRounded(node: LaidOut): boolean {
  const { name, style } = node;
  if (
    isDrawing(node) ||
    /^(?:input|select|button|textarea)$/.test(name) ||
    /^(?:0px\s?)+$/.test(style['border-radius'])
  )
    return false;
  return fillOf(style) !== undefined || bordersOf(style) !== undefined;
}

function backgroundOf(image: string): string | undefined {
  if (image === 'none') return undefined;
  return image.slice(0, MAX_GRADIENT).includes('gradient(') ? 'gradients' : 'background-image';
}

function hasLink({ name, attributes, children }: LaidOut): boolean {
  const isLink = name === 'a' && (attributes['href'] ?? attributes['xlink:href'] ?? '') !== '';
  return isLink || children.some(hasLink);
}

function isLostDrawing({ name, attributes, box }: LaidOut): boolean {
  const isDrawing = /^(?:svg|math|canvas|meter|progress)$/.test(name);
  return isDrawing && attributes[DRAWING_ATTRIBUTE] === undefined && box.width >= 1 && box.height >= 1;
}
