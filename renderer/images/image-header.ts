/** Metadata from an image's header. */
export interface ImageHeader {
  readonly type: 'png' | 'jpg' | 'gif' | 'webp' | 'bmp' | 'avif';
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Reads the header of an image. Undefined for other formats, incomplete headers and images without pixels. */
export function imageHeader(image: Buffer): ImageHeader | undefined {
  const header =
    pngHeader(image) ??
    gifHeader(image) ??
    jpegHeader(image) ??
    webpHeader(image) ??
    bmpHeader(image) ??
    avifHeader(image);
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
  while (at + 9 <= image.length) {
    // Decoders skip other bytes between segments.
    at = image.indexOf(0xff, at);
    if (at === -1 || at + 9 > image.length) return undefined;
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

/** RFC 9649: extended (2.7), lossless (3.4) and lossy (2.5, with the frame header of RFC 6386, 9.1). */
function webpHeader(image: Buffer): ImageHeader | undefined {
  if (!/^RIFF.{4}WEBP$/s.test(image.toString('latin1', 0, 12)) || image.length < 25) return undefined;
  const kind = image.toString('latin1', 12, 16);
  if (kind !== 'VP8L' && image.length < 30) return undefined;
  switch (kind) {
    case 'VP8X':
      return { type: 'webp', width: 1 + image.readUIntLE(24, 3), height: 1 + image.readUIntLE(27, 3) };
    case 'VP8L': {
      const bits = image.readUInt32LE(21);
      return { type: 'webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return {
        type: 'webp',
        width: image.readUInt16LE(26) & 0x3fff,
        height: image.readUInt16LE(28) & 0x3fff,
      };
    default:
      return undefined;
  }
}

/** BITMAPCOREHEADER, or BITMAPINFOHEADER and later: the height is negative when rows go from top to bottom. */
function bmpHeader(image: Buffer): ImageHeader | undefined {
  if (image.toString('latin1', 0, 2) !== 'BM' || image.length < 26) return undefined;
  const headerBytes = image.readUInt32LE(14);
  if (headerBytes === 12) {
    return { type: 'bmp', width: image.readUInt16LE(18), height: image.readUInt16LE(20) };
  }
  // Other content can begin with BM, for example text.
  if (headerBytes < 16 || headerBytes > 124) return undefined;
  return { type: 'bmp', width: Math.abs(image.readInt32LE(18)), height: Math.abs(image.readInt32LE(22)) };
}

/** ISO/IEC 23008-12, 6.5.3: `ispe` has the size. Tiles of a grid have smaller sizes, so the largest is used. */
function avifHeader(image: Buffer): ImageHeader | undefined {
  if (!/^ftypavi[fs]$/.test(image.toString('latin1', 4, 12))) return undefined;
  const pixels = image.indexOf('mdat');
  const boxes = pixels === -1 ? image : image.subarray(0, pixels);
  const header = { type: 'avif' as const, width: 0, height: 0 };
  for (
    let at = boxes.indexOf('ispe');
    at !== -1 && at + 16 <= boxes.length;
    at = boxes.indexOf('ispe', at + 4)
  ) {
    header.width = Math.max(header.width, boxes.readUInt32BE(at + 8));
    header.height = Math.max(header.height, boxes.readUInt32BE(at + 12));
  }
  return header;
}
