import { systemClock } from '@trifold/platform/async/clock.ts';
import type { Browser } from '../process/browser.ts';
import { PrintError } from '../page/print-error.ts';

/** Intervals of the checks. Most documents are finished before the first one. */
const MEMORY_EVERY_MS = 500;
const ANSWER_EVERY_MS = 5000;
/** A browser responds slowly on a busy machine. */
const ANSWER_MS = 10_000;
/** Shared by all documents: creating an error for each takes time. */
const WATCH_ENDED = new Error('the watch has ended');

/**
 * Checks repeatedly that a browser responds and uses at most `maxBytes` of memory. Calls `onProblem` when it does not.
 * A document that keeps its own process busy does not stop the browser from responding, so only a browser that hangs as
 * a whole is reported. Returns a function that stops the checks.
 */
export function watchBrowser(
  browser: Browser,
  maxBytes: number,
  onProblem: (problem: PrintError) => void,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const repeat = async (everyMs: number, check: () => Promise<PrintError | undefined>) => {
    for (;;) {
      await systemClock.sleep(everyMs, signal);
      const problem = signal.aborted ? undefined : await check();
      if (signal.aborted) return;
      if (problem) return onProblem(problem);
    }
  };
  const checkMemory = async () => {
    const message = `printing the document takes more browser memory than the limit of ${maxBytes} bytes`;
    const held = await browser.memoryBytes();
    return held > maxBytes ? new PrintError('output_too_large', message) : undefined;
  };
  const checkAnswer = async () => {
    const ask = () => browser.connection.send('Browser.getVersion').then(() => undefined);
    const hung = new PrintError(
      'browser_hung',
      'the browser stopped responding while it printed the document',
    );
    return systemClock.withTimeout<PrintError | undefined>(ask, ANSWER_MS, { signal, onTimeout: () => hung });
  };
  // If the browser has died, its page reports that.
  repeat(MEMORY_EVERY_MS, checkMemory).catch(() => undefined);
  repeat(ANSWER_EVERY_MS, checkAnswer).catch(() => undefined);
  return () => ending.abort(WATCH_ENDED);
}
