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
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const end = () => {
    ended = true;
    clearTimeout(timer);
  };
  const askLater = () => {
    if (!ended) timer = setTimeout(ask, EVERY_MS);
  };
  const ask = () => {
    timer = setTimeout(() => {
      end();
      onHung();
    }, PATIENCE_MS);
    // Of a browser that has died its page tells.
    connection?.send('Browser.getVersion').then(() => {
      clearTimeout(timer);
      askLater();
    }, end);
  };
  askLater();
  return end;
}
