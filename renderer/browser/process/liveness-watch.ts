import { systemClock, TimeoutError } from '@trifold/platform/service/clock.ts';
import type { Connection } from 'puppeteer-core';

/** Most documents are finished before the first check. */
const EVERY_MS = 5000;
/** A browser responds slowly on a busy machine. */
const TIMEOUT_MS = 10_000;
/** Shared by all documents: creating an error for each takes time. */
const WATCH_ENDED = new Error('the watch has ended');

/**
 * Checks repeatedly that a browser responds, and calls `onHung` once when it does not respond in time. A document that
 * keeps its own process busy does not stop the browser from responding, so only a browser that hangs as a whole is
 * reported. Returns a function that ends the watch.
 */
export function watchLiveness(
  connection: Pick<Connection, 'send'> | undefined,
  onHung: () => void,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const watch = async () => {
    for (;;) {
      await systemClock.sleep(EVERY_MS, signal);
      await systemClock.withTimeout(async () => connection?.send('Browser.getVersion'), TIMEOUT_MS, {
        signal,
      });
    }
  };
  // If the browser has died, its page reports that.
  watch().catch((error: unknown) => {
    if (error instanceof TimeoutError && !signal.aborted) onHung();
  });
  return () => ending.abort(WATCH_ENDED);
}
