import type { Browser } from './browser.ts';

/** Most documents are finished before the first check. */
const EVERY_MS = 500;

/** Calls `onExceeded` once when a browser uses more memory than allowed. Returns a function that ends the watch. */
export function watchMemory(
  browser: Pick<Browser, 'memoryBytes'> | undefined,
  mostBytes: number,
  onExceeded: () => void,
): () => void {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const held = (await browser?.memoryBytes()) ?? 0;
    if (ended) return;
    if (held > mostBytes) onExceeded();
    else lookLater();
  };
  const lookLater = () => {
    timer = setTimeout(() => void look(), EVERY_MS);
  };
  lookLater();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
