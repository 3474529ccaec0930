import { createHash } from 'node:crypto';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { isCompleteFile } from '../content-checks/embedded-file.ts';
import { imageHeader } from './image-header.ts';

const MEGAPIXEL = 1_000_000;
const { value: MAX_MEGAPIXELS } = BOUNDS.images.limit;

/** Number of pixels in one document's images, from their headers. */
export class ImagePixels {
  #sum: number;
  #count = 0;

  constructor(sum = 0) {
    this.#sum = sum;
  }

  get sum(): number {
    return this.#sum;
  }

  /**
   * Adds an image; other content adds nothing. `host`: where it was loaded from; the rest of a URL may contain document
   * data. Returns the `image_too_large` error message when the sum exceeds the limit.
   */
  add(content: Buffer, host?: string): string | undefined {
    const image = imageHeader(content);
    if (!image) return undefined;
    const { type, width, height } = image;
    this.#count += 1;
    this.#sum += width * height;
    if (this.#sum <= MAX_MEGAPIXELS * MEGAPIXEL) return undefined;
    const sum = Math.ceil((this.#sum / MEGAPIXEL) * 10) / 10;
    return `with ${host ? `an image from ${host}` : `embedded image ${this.#count}`} (${type}, ${width} × ${height} pixels), the images in the document total ${sum} megapixels, more than the limit of ${MAX_MEGAPIXELS}: use smaller images`;
  }
}

const ENCODING = /;base64,/gi;
/** End of base64, which may be percent-encoded and split into lines. */
const END = /[^\w+/%\s-]|$/g;
/** Characters that the decoder accepts but browsers do not. */
const NOT_BASE64 = /[-_]/;
/** Maximum number of characters between the start of a URI and its base64. */
const MAX_TYPE_LENGTH = 200;
/** Minimum base64 length; shorter files are not images. */
const MIN_IMAGE_LENGTH = 32;

/** `problem` is the `image_too_large` error message. */
export type EmbeddedImages =
  | {
      readonly pixels: number;
      /** Whether any embedded data is neither a complete image nor a complete font. */
      readonly isSuspect: boolean;
    }
  | { readonly problem: string };

/**
 * Sums the pixels of the images in base64 `data:` URIs, including in styles. Equal URIs count once, because a browser
 * decodes them once. Other spellings of a URI (escapes, nested base64) do not count: the browser's memory limit covers
 * them. Takes linear time: a forward scan reads each URI once.
 */
export function embeddedImages(...texts: readonly string[]): EmbeddedImages {
  const pixels = new ImagePixels();
  const seen = new Set<string>();
  let isSuspect = false;
  for (const text of texts) {
    for (const { uri, data } of base64Uris(text)) {
      if (data.length < MIN_IMAGE_LENGTH) {
        isSuspect = true;
        continue;
      }
      // A Set hashes long strings by their length alone, so equal lengths would take quadratic time.
      const hash = createHash('sha256').update(uri).digest('base64');
      if (seen.has(hash)) continue;
      seen.add(hash);
      const file = decodeBase64Uri(data);
      const problem = pixels.add(file);
      if (problem !== undefined) return { problem };
      isSuspect ||= !isCompleteFile(file) || NOT_BASE64.test(data);
    }
  }
  return { pixels: pixels.sum, isSuspect };
}

function* base64Uris(text: string): Generator<{ uri: string; data: string }> {
  let end = 0;
  while (true) {
    ENCODING.lastIndex = end;
    if (!ENCODING.test(text)) return;
    const start = ENCODING.lastIndex;
    const typeStart = Math.max(end, start - MAX_TYPE_LENGTH);
    const scheme = text.slice(typeStart, start).toLowerCase().lastIndexOf('data:');
    END.lastIndex = start;
    end = END.exec(text)?.index ?? text.length;
    yield { uri: text.slice(typeStart + Math.max(0, scheme), end), data: text.slice(start, end) };
  }
}

/** Decodes the base64 of a `data:` URI. */
export function decodeBase64Uri(data: string): Buffer {
  return Buffer.from(percentDecoded(data), 'base64');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
