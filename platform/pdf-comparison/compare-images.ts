import pixelmatch from 'pixelmatch';
import type { PageImage } from './open-pdf.ts';

/** Smallest perceived color difference that counts; 1 is black against white. #f8f8f8 on white counts. */
const THRESHOLD = 0.02;

export interface ImageDifference {
  /** Number of differing pixels, not counting smoothed edges. */
  readonly pixels: number;
  /** The images in pale gray, with the differing pixels in red (darker before) or blue (darker after). */
  readonly image: PageImage;
}

/** Compares two images. The smaller one is extended with transparent pixels, which differ from all others. */
export function compareImages(before: PageImage, after: PageImage): ImageDifference {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const data = new Uint8ClampedArray(width * height * 4);
  const [one, other] = [extended(before, width, height), extended(after, width, height)];
  const pixels = pixelmatch(one, other, data, width, height, {
    threshold: THRESHOLD,
    diffColor: [214, 30, 30],
    diffColorAlt: [30, 80, 214],
    aaColor: [235, 220, 160],
  });
  return { pixels, image: { width, height, data } };
}

function extended(
  { width, height, data }: PageImage,
  newWidth: number,
  newHeight: number,
): Uint8ClampedArray {
  if (width === newWidth && height === newHeight) return data;
  const result = new Uint8ClampedArray(newWidth * newHeight * 4);
  for (let row = 0; row < height; row += 1) {
    result.set(data.subarray(row * width * 4, (row + 1) * width * 4), row * newWidth * 4);
  }
  return result;
}
