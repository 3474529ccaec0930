import type { ImageFormat } from '@trifold/crds';
import type { CDPSession } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { PrintError } from './print-error.ts';

/** Settings of an image. Lengths are whole CSS pixels. */
export interface PictureSettings {
  /** Width of the viewport and of the image. */
  readonly width: number;
  /** Height of the viewport, and of the image unless `fullPage` is set. */
  readonly height: number;
  /** Image pixels per CSS pixel, in each direction. */
  readonly deviceScale: number;
  /** Whether the image is as tall as the content when the content is taller than the viewport. */
  readonly fullPage: boolean;
  /** Whether all state from earlier documents must be removed first. @default false */
  readonly fresh?: boolean;
  /** @default png */
  readonly format?: ImageFormat;
  /** Quality of jpeg and webp, 1 to 100. @default the browser's */
  readonly quality?: number;
}

/** An image file, with its size in CSS pixels. */
export interface Picture {
  readonly file: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of pixels in an image: the browser keeps several copies at four bytes per pixel. */
export const MAX_PIXELS = 40_000_000;
/** Maximum number of pixels per side: many programs cannot show larger images, and WebP does not support them. */
export const MAX_IMAGE_SIDES: Readonly<Record<ImageFormat, number>> = {
  png: 32_767,
  jpeg: 32_767,
  webp: 16_383,
};

/** Sets the viewport for the next document. */
export async function setViewport(
  session: CDPSession,
  { width, height, deviceScale }: PictureSettings,
): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: deviceScale,
    mobile: false,
  });
}

/** Draws the page without a new layout. Rejects with PrintError `output_too_large`. */
export async function capturePicture(session: CDPSession, settings: PictureSettings): Promise<Picture> {
  const { width, deviceScale, fullPage, format = 'png', quality } = settings;
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const height = fullPage ? Math.max(settings.height, Math.ceil(cssContentSize.height)) : settings.height;
  checkSize(width * deviceScale, height * deviceScale, MAX_IMAGE_SIDES[format]);
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format !== 'png' && quality !== undefined && { quality }),
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  return { file: await runInSlices(decodeBase64(data)), width, height };
}

function checkSize(width: number, height: number, maxSide: number): void {
  const [across, down] = [Math.round(width), Math.round(height)];
  if (Math.max(across, down) <= maxSide && across * down <= MAX_PIXELS) return;
  throw new PrintError(
    'output_too_large',
    `the image would have ${across} × ${down} pixels; the limits are ${maxSide} per side and ` +
      `${MAX_PIXELS} in total: use a smaller device_scale, or set full_page to false`,
  );
}
