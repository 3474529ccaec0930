import type { CDPSession } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { PrintError } from './print-error.ts';

/** How a page is drawn. Lengths are in CSS pixels, whole ones. */
export interface PictureSettings {
  /** Of the viewport, and of the picture. */
  readonly width: number;
  /** Of the viewport, and of the picture unless that is of the full page. */
  readonly height: number;
  /** Pixels of the picture a CSS pixel, in each direction. */
  readonly deviceScale: number;
  /** Whether the picture is as high as the content, where that is higher than the viewport. */
  readonly fullPage: boolean;
  /** Whether nothing that an earlier document left behind may be in force. @default false */
  readonly fresh?: boolean;
}

/** A picture in PNG, with its size in CSS pixels. */
export interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Most pixels of a picture: the browser holds several copies of four bytes each. */
export const MOST_PIXELS = 40_000_000;
/** Most pixels of a side: many programs show no larger pictures. */
export const LONGEST_PICTURE_SIDE = 32_767;

/** Sets what the next document is laid out on. It is laid out as for print: the same css holds as in a PDF. */
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

/** Draws what the page shows. The content is not laid out anew for it. Rejects with PrintError `output_too_large`. */
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
  throw PrintError.tooManyPixels(
    `the picture would have ${across} × ${down} pixels; the limits are ${LONGEST_PICTURE_SIDE} a side and ` +
      `${MOST_PIXELS} in all: ask for a smaller device_scale, or for full_page false`,
  );
}
