import type { ICropOptions, IImageOptions } from 'docx';
import { DRAWING_ATTRIBUTE } from '../../browser/page/page-snapshot.ts';
import { decodeBase64Uri } from '../../images/image-pixels.ts';
import { imageHeader } from '../../images/image-header.ts';
import { contentBox } from './content-box.ts';
import type { Box, LaidOut, Style } from './snapshot-tree.ts';
import { MAX_SIDE, pixels, xmlText } from './units.ts';

/** Images of drawings, indexed by their DRAWING_ATTRIBUTE. */
export type Images = readonly Uint8Array[];

/** Image types that DOCX programs can show. */
const TYPES = ['png', 'jpg', 'gif'] as const;
/** Maximum number of pixels in an image: a program that opens the file needs four bytes per pixel. */
const MAX_PIXELS = 40_000_000;

/**
 * Returns an image of the document at its displayed size, at most `width` wide. Undefined if there is nothing to show.
 */
export function imageOf(node: LaidOut, images: Images, width = MAX_SIDE): IImageOptions | undefined {
  if (node.box.width < 1 || node.box.height < 1) return undefined;
  const drawn = images[Number(node.attributes[DRAWING_ATTRIBUTE])];
  if (drawn)
    return { type: 'png', data: drawn, ...shownAs(node, visiblePart(node, { size: node.box }), width) };
  const image = imageIn(node.attributes['src']);
  if (!image) return undefined;
  const { type, data, header } = image;
  const fitted = fittedImage(header, contentBox(node), node.style);
  return { type, data, ...shownAs(node, visiblePart(node, fitted), width) };
}

/** Whether a browser shows the image rather than its alternative text. */
export function isImageShown({ attributes, box, style }: LaidOut): boolean {
  if (style.visibility !== 'visible') return false;
  const hasPicture = attributes[DRAWING_ATTRIBUTE] !== undefined || attributes['src']?.startsWith('data:');
  return (hasPicture && box.width >= 1 && box.height >= 1) || (attributes['alt'] ?? '').trim() !== '';
}

/** An image at its displayed size, and the parts of it that are not shown, in percent. */
interface FittedImage {
  readonly size: Size;
  readonly crop?: Required<ICropOptions>;
}

/** Crops an image to its enclosing box. */
function visiblePart({ box, visible }: LaidOut, { size, crop = NO_CROP }: FittedImage): FittedImage {
  if (!visible) return { size, ...(crop !== NO_CROP && { crop }) };
  const part = (before: number, after: number, start: number, end: number) => {
    const shown = (100 - before - after) / 100;
    return [before + shown * start * 100, after + shown * end * 100] as const;
  };
  const [x, y] = [(visible.x - box.x) / box.width, (visible.y - box.y) / box.height];
  const [width, height] = [visible.width / box.width, visible.height / box.height];
  const [left, right] = part(crop.left, crop.right, x, 1 - x - width);
  const [top, bottom] = part(crop.top, crop.bottom, y, 1 - y - height);
  return {
    size: { width: size.width * width, height: size.height * height },
    crop: { left, right, top, bottom },
  };
}

const NO_CROP = { left: 0, right: 0, top: 0, bottom: 0 };

function shownAs(
  { attributes: { alt } }: LaidOut,
  { size: { width, height }, crop }: FittedImage,
  maxWidth: number,
) {
  const scale = Math.min(1, MAX_SIDE / height, Math.max(1, Math.min(maxWidth, MAX_SIDE)) / width);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return {
    transformation: { width: shown(width), height: shown(height) },
    ...(crop && { crop }),
    ...(alt && { altText: { name: '', description: xmlText(alt) } }),
  };
}

type Size = Pick<Box, 'width' | 'height'>;

/** CSS Images 3, "object-fit": the size of the image in its box, and the parts outside the box, in percent. */
function fittedImage(natural: Size, box: Size, style: Style): FittedImage {
  const ratios = [box.width / natural.width, box.height / natural.height];
  const contained = Math.min(...ratios);
  const scale = {
    contain: contained,
    cover: Math.max(...ratios),
    none: 1,
    'scale-down': Math.min(1, contained),
  }[style['object-fit']];
  if (scale === undefined) return { size: box };
  const whole = { width: natural.width * scale, height: natural.height * scale };
  const size = { width: Math.min(whole.width, box.width), height: Math.min(whole.height, box.height) };
  const [x = '50%', y = '50%'] = style['object-position'].split(' ');
  const [left, right] = cropOf(whole.width, size.width, x);
  const [top, bottom] = cropOf(whole.height, size.height, y);
  return { size, ...(left + right + top + bottom > 0 && { crop: { left, right, top, bottom } }) };
}

/** Parts before and after the visible one, in percent. */
function cropOf(whole: number, shown: number, position: string): readonly [number, number] {
  const hidden = Math.max(0, whole - shown);
  const before = position.endsWith('%') ? (hidden * Number.parseFloat(position)) / 100 : -pixels(position);
  const part = (Math.min(hidden, Math.max(0, before)) / whole) * 100;
  return [part, (hidden / whole) * 100 - part];
}

/** Uses the type of the content: browsers ignore a wrong declared type, but programs that open the DOCX may not. */
function imageIn(source = '') {
  const [, data = ''] = /^data:image\/(?:png|jpe?g|gif);base64,(.*)$/is.exec(source) ?? [];
  const content = decodeBase64Uri(data);
  const header = imageHeader(content);
  const type = TYPES.find((known) => known === header?.type);
  return header && type && header.width * header.height <= MAX_PIXELS
    ? { type, data: content, header }
    : undefined;
}
