import { patientTimeout } from '@trifold/platform/child-process/patient-timeout.ts';
import type { Connection } from 'puppeteer-core';

/** Most documents are finished before the first check. */
const EVERY_MS = 5000;
/** A browser responds slowly on a busy machine. */
const PATIENCE_MS = 10_000;

/**
 * Checks repeatedly that a browser responds, and calls `onHung` once when it does not respond in time. A document that
 * keeps its own process busy does not stop the browser from responding, so only a browser that hangs as a whole is
 * reported. Returns a function that ends the watch.
 */
export function watchLiveness(
  connection: Pick<Connection, 'send'> | undefined,
  onHung: () => void,
): () => void {
  let cancel = () => {};
  let ended = false;
  const end = () => {
    ended = true;
    cancel();
  };
  const askLater = () => {
    if (ended) return;
    const timer = setTimeout(ask, EVERY_MS);
    cancel = () => clearTimeout(timer);
  };
  const ask = () => {
    cancel = patientTimeout(PATIENCE_MS, () => {
      end();
      onHung();
    });
    // If the browser has died, its page reports that.
    connection?.send('Browser.getVersion').then(() => {
      cancel();
      askLater();
    }, end);
  };
  askLater();
  return end;
}
