import { patientTimeout } from '@trifold/platform/child-process/patient-timeout.ts';
import type { Connection } from 'puppeteer-core';

/** Most documents are printed before it asks for the first time. */
const EVERY_MS = 5000;
/** A browser beside heavy work on a busy machine answers late. */
const PATIENCE_MS = 10_000;

/**
 * Asks a browser for a sign of life again and again, and calls `onHung` once when none comes in time. A document that
 * keeps its own process busy does not keep the browser from answering: only a browser that hangs as a whole is told of.
 * Answers what ends the watch.
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
    // Of a browser that has died its page tells.
    connection?.send('Browser.getVersion').then(() => {
      cancel();
      askLater();
    }, end);
  };
  askLater();
  return end;
}
