import type { CDPSession } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { PrintError } from './print-error.ts';

/** Settings of a picture. Lengths are whole CSS pixels. */
export interface PictureSettings {
  /** Width of the viewport and of the picture. */
  readonly width: number;
  /** Height of the viewport, and of the picture unless `fullPage` is set. */
  readonly height: number;
  /** Picture pixels per CSS pixel, in each direction. */
  readonly deviceScale: number;
  /** Whether the picture is as high as the content when the content is higher than the viewport. */
  readonly fullPage: boolean;
  /** Whether all state of earlier documents must be removed first. @default false */
  readonly fresh?: boolean;
}

/** A picture in PNG, with its size in CSS pixels. */
export interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of pixels in a picture: the browser holds several copies of four bytes each. */
export const MOST_PIXELS = 40_000_000;
/** Maximum pixels of a side: many programs cannot show larger pictures. */
export const LONGEST_PICTURE_SIDE = 32_767;

/** Sets the viewport of the next document. Layout uses the print medium, so that the same CSS applies as in a PDF. */
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
  await session.send('Emulation.setEmulatedMedia', { media: 'print' });
}

/** Draws the page without a new layout. Rejects with PrintError `output_too_large`. */
export async function capturePicture(session: CDPSession, settings: PictureSettings): Promise<Picture> {
  const { width, deviceScale, fullPage } = settings;
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const height = fullPage ? Math.max(settings.height, Math.ceil(cssContentSize.height)) : settings.height;
  checkSize(width * deviceScale, height * deviceScale);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  return { png: await runInSlices(decodeBase64(data)), width, height };
}

function checkSize(width: number, height: number): void {
  const [across, down] = [Math.round(width), Math.round(height)];
  if (Math.max(across, down) <= LONGEST_PICTURE_SIDE && across * down <= MOST_PIXELS) return;
  throw new PrintError(
    'output_too_large',
    `the picture would have ${across} × ${down} pixels; the limits are ${LONGEST_PICTURE_SIDE} a side and ` +
      `${MOST_PIXELS} in all: ask for a smaller device_scale, or for full_page false`,
  );
}
