import { createCanvas } from '@napi-rs/canvas';

const COLOURS = ['#e01010', '#10b030', '#1040e0', '#f0c000'];

/** Data for the documents: images whose quarters differ in color, so that a rotated or cropped one looks different. */
export function sampleImages(): Record<string, string> {
  const jpeg = (orientation?: number) => {
    const file = quarters(160, 80).toBuffer('image/jpeg', 95);
    return uri('jpeg', orientation === undefined ? file : withOrientation(file, orientation));
  };
  return {
    png: uri('png', quarters(120, 60).toBuffer('image/png')),
    portrait: uri('png', quarters(60, 120).toBuffer('image/png')),
    webp: uri('webp', quarters(120, 60).toBuffer('image/webp', 95)),
    jpeg: jpeg(),
    ...Object.fromEntries([2, 3, 5, 6, 8].map((value) => [`exif${value}`, jpeg(value)])),
    pixel: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  };
}

function quarters(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const [index, colour] of COLOURS.entries()) {
    context.fillStyle = colour;
    context.fillRect((index % 2) * (width / 2), Math.floor(index / 2) * (height / 2), width / 2, height / 2);
  }
  // Stripes on both sides, so that an image with cropped sides also looks different.
  context.fillStyle = '#c000c0';
  context.fillRect(0, 0, width / 8, height);
  context.fillRect(width - width / 8, 0, width / 8, height);
  return canvas;
}

function uri(type: string, file: Buffer): string {
  return `data:image/${type};base64,${file.toString('base64')}`;
}

/** Inserts an Exif segment with one entry, the orientation (Exif 2.3, 4.6). */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const segment = Buffer.from(
    'ffe100224578696600004d4d002a00000008000101120003000000010000000000000000',
    'hex',
  );
  segment.writeUInt16BE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}
