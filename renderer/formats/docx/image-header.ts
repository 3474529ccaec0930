/** Metadata from the header of an image. */
export interface ImageHeader {
  readonly type: 'png' | 'jpg' | 'gif';
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Reads the header of a PNG, JPEG or GIF. Undefined for other formats, incomplete headers and images without pixels.
 */
export function imageHeader(image: Buffer): ImageHeader | undefined {
  const header = pngHeader(image) ?? gifHeader(image) ?? jpegHeader(image);
  return header && header.width > 0 && header.height > 0 ? header : undefined;
}

/** PNG (W3C), "IHDR". */
function pngHeader(image: Buffer): ImageHeader | undefined {
  if (!image.subarray(0, 8).equals(PNG) || image.length < 24) return undefined;
  return { type: 'png', width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}

/** GIF89a, "Logical Screen Descriptor". */
function gifHeader(image: Buffer): ImageHeader | undefined {
  if (!/^GIF8[79]a$/.test(image.toString('latin1', 0, 6)) || image.length < 10) return undefined;
  return { type: 'gif', width: image.readUInt16LE(6), height: image.readUInt16LE(8) };
}

/** JPEG (ITU-T T.81, B.2.2): the size is in the header of a frame, after other segments. */
function jpegHeader(image: Buffer): ImageHeader | undefined {
  if (!image.subarray(0, 3).equals(JPEG)) return undefined;
  let at = 2;
  while (at + 9 <= image.length && image[at] === 0xff) {
    const marker = image[at + 1] ?? 0;
    if (isFrame(marker)) {
      return { type: 'jpg', width: image.readUInt16BE(at + 7), height: image.readUInt16BE(at + 5) };
    }
    // Either one fill byte, or a segment with a length field.
    at += marker === 0xff ? 1 : 2 + image.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15; the codes in between are tables (DHT, DAC) and an extension (JPG). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
