import type { CDPSession } from 'puppeteer-core';
import { isGone } from './print-error.ts';

/**
 * Milliseconds after which a document that is still loading is laid out; repeated at this interval. No frames are
 * drawn, so content that waits for layout (an image in an SVG) would otherwise block the load event forever.
 */
const LAYOUT_AFTER_MS = 50;

/**
 * Waits for a document's load event, and lays out the document meanwhile. Sends one command at a time, and none after
 * the page is gone. When the browser dies, no load event arrives; only the failing command reports it.
 */
export async function laidOutUntil(
  loaded: Promise<void>,
  session: Pick<CDPSession, 'send'>,
  hasFailed: () => boolean,
): Promise<void> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  let waiting = true;
  const layOutLater = () => {
    if (!waiting || hasFailed()) return;
    timer = setTimeout(() => {
      session.send('Page.getLayoutMetrics').then(layOutLater, (error: unknown) => {
        if (isGone(error)) reject(error);
        else layOutLater();
      });
    }, LAYOUT_AFTER_MS);
  };
  layOutLater();
  try {
    await Promise.race([loaded, gone]);
  } finally {
    waiting = false;
    clearTimeout(timer);
  }
}
