import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { imageHeader } from './image-header.ts';

const MEGAPIXEL = 1_000_000;
const { value: MOST_MEGAPIXELS } = BOUNDS.images.limit;

/** Pixels of the images of one document, from their headers. */
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
   * Adds an image; other content adds nothing. `host`: where it was loaded from; the rest of a URL may contain data of
   * the document. Returns the message of the error `image_too_large` when the sum exceeds
   * the limit.
   */
  add(content: Buffer, host?: string): string | undefined {
    const image = imageHeader(content);
    if (!image) return undefined;
    const { type, width, height } = image;
    this.#count += 1;
    this.#sum += width * height;
    if (this.#sum <= MOST_MEGAPIXELS * MEGAPIXEL) return undefined;
    const sum = Math.ceil((this.#sum / MEGAPIXEL) * 10) / 10;
    return (
      `with ${host ? `an image from ${host}` : `embedded image ${this.#count}`} (${type}, ${width} × ${height} pixels), the images of the ` +
      `document have ${sum} megapixels, more than the limit of ${MOST_MEGAPIXELS}: use smaller images`
    );
  }
}
