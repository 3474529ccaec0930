import { createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas';

/** Pixels of an image. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of a pixel. */
  readonly at: (x: number, y: number) => readonly [number, number, number];
}

/** A whole image. */
export interface Picture extends Pixels {
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8ClampedArray;
}

/** Reads a PNG. Rejects for any other file. */
export async function readPng(file: Uint8Array): Promise<Picture> {
  if (Buffer.from(file.subarray(0, 4)).toString('latin1') !== '\x89PNG') throw new Error('not a PNG');
  const image = await loadImage(file);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return pictureOf(context);
}

/** Returns the pixels of a canvas. */
export function pictureOf(context: Pick<SKRSContext2D, 'canvas' | 'getImageData'>): Picture {
  const { width, height } = context.canvas;
  const { data: pixels } = context.getImageData(0, 0, width, height);
  const at: Pixels['at'] = (x, y) => {
    const start = (y * width + x) * 4;
    return [pixels[start] ?? 0, pixels[start + 1] ?? 0, pixels[start + 2] ?? 0];
  };
  return { width, height, pixels, at };
}
