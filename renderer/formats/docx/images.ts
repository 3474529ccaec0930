import type { ICropOptions, IImageOptions } from 'docx';
import { DRAWING_ATTRIBUTE } from '../../browser/page/page-snapshot.ts';
import { decodeBase64Uri } from '../../images/image-pixels.ts';
import { imageHeader } from '../../images/image-header.ts';
import { contentBox } from './content-box.ts';
import type { Box, LaidOut, Style } from './snapshot-tree.ts';
import { LONGEST_SIDE, pixels, xmlText } from './units.ts';

/** Pictures of drawings, indexed by their DRAWING_ATTRIBUTE. */
export type Images = readonly Uint8Array[];

/** Types that programs for DOCX show. */
const TYPES = ['png', 'jpg', 'gif'] as const;
/** Maximum number of pixels in an image: a program that opens the file needs four bytes for each. */
const MOST_PIXELS = 40_000_000;

/** Returns an image of the document in its displayed size, at most `width` wide. Undefined when there is nothing to show. */
export function imageOf(node: LaidOut, images: Images, width = LONGEST_SIDE): IImageOptions | undefined {
  if (node.box.width < 1 || node.box.height < 1) return undefined;
  const drawn = images[Number(node.attributes[DRAWING_ATTRIBUTE])];
  if (drawn) return { type: 'png', data: drawn, ...shownAs(node, node.box, width) };
  const image = imageIn(node.attributes['src']);
  if (!image) return undefined;
  const { type, data, header } = image;
  const { size, crop } = fittedImage(header, contentBox(node), node.style);
  return { type, data, ...shownAs(node, size, width), ...(crop && { crop }) };
}

/** Whether a browser shows an image at all, or its alternative text. */
export function isImageShown({ attributes, box, style }: LaidOut): boolean {
  if (style.visibility !== 'visible') return false;
  const hasPicture = attributes[DRAWING_ATTRIBUTE] !== undefined || attributes['src']?.startsWith('data:');
  return (hasPicture && box.width >= 1 && box.height >= 1) || (attributes['alt'] ?? '').trim() !== '';
}

function shownAs({ attributes: { alt } }: LaidOut, { width, height }: Size, maxWidth: number) {
  const scale = Math.min(1, LONGEST_SIDE / height, Math.max(1, Math.min(maxWidth, LONGEST_SIDE)) / width);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return {
    transformation: { width: shown(width), height: shown(height) },
    ...(alt && { altText: { name: '', description: xmlText(alt) } }),
  };
}

type Size = Pick<Box, 'width' | 'height'>;

/** CSS Images 3, "object-fit": the size of the image in its box, and the parts outside the box, in percent. */
function fittedImage(natural: Size, box: Size, style: Style): { size: Size; crop?: ICropOptions } {
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

/** Uses the image's actual type, not the declared one: another program may rely on either. */
function imageIn(source = '') {
  const [, data = ''] = /^data:image\/(?:png|jpe?g|gif);base64,(.*)$/is.exec(source) ?? [];
  const content = decodeBase64Uri(data);
  const header = imageHeader(content);
  const type = TYPES.find((known) => known === header?.type);
  return header && type && header.width * header.height <= MOST_PIXELS
    ? { type, data: content, header }
    : undefined;
}
