import type { IImageOptions } from 'docx';
import { DRAWING_ATTRIBUTE } from '../../browser/page/page-snapshot.ts';
import { decodeBase64Uri } from '../../images/image-pixels.ts';
import { imageHeader } from '../../images/image-header.ts';
import type { LaidOut } from './snapshot-tree.ts';
import { LONGEST_SIDE, xmlText } from './units.ts';

/** Pictures of drawings, indexed by their DRAWING_ATTRIBUTE. */
export type Images = readonly Uint8Array[];

/** Types that programs for DOCX show. */
const TYPES = ['png', 'jpg', 'gif'] as const;
/** Maximum number of pixels in an image: a program that opens the file needs four bytes for each. */
const MOST_PIXELS = 40_000_000;

/** Returns an image of the document in its displayed size. Undefined when there is nothing to show. */
export function imageOf({ attributes, box }: LaidOut, images: Images): IImageOptions | undefined {
  const { width, height } = box;
  if (width < 1 || height < 1) return undefined;
  const drawn = images[Number(attributes[DRAWING_ATTRIBUTE])];
  const content = drawn ? ({ type: 'png', data: drawn } as const) : imageIn(attributes['src']);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  const { alt } = attributes;
  return (
    content && {
      ...content,
      transformation: { width: shown(width), height: shown(height) },
      ...(alt && { altText: { name: '', description: xmlText(alt) } }),
    }
  );
}

/** Uses the image's actual type, not the declared one: another program may rely on either. */
function imageIn(source = '') {
  const [, data = ''] = /^data:image\/(?:png|jpe?g|gif);base64,(.*)$/is.exec(source) ?? [];
  const content = decodeBase64Uri(data);
  const header = imageHeader(content);
  const type = TYPES.find((known) => known === header?.type);
  return header && type && header.width * header.height <= MOST_PIXELS ? { type, data: content } : undefined;
}
