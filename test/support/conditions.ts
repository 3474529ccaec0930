import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** How long the condition may take, in milliseconds. @default 30_000 */
  readonly deadlineMs?: number;
  /** Pause between two looks, in milliseconds. @default 50 */
  readonly intervalMs?: number;
  /** Looked at before each attempt: an error here ends the waiting at once. */
  readonly giveUp?: () => Error | undefined;
}

/**
 * Looks again and again until `look` answers with something other than undefined or false, and returns that.
 * A look that throws counts as "not yet"; its error is the cause of the one thrown when the deadline passes.
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  options: WaitOptions = {},
): Promise<T> {
  const { deadlineMs = 30_000, intervalMs = 50, giveUp } = options;
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const reason = giveUp?.();
    if (reason) throw new Error(`gave up waiting: ${what}`, { cause: reason });
    let cause: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadline) {
      throw new Error(`not within ${deadlineMs} ms: ${what}`, { cause });
    }
    await pause(intervalMs);
  }
}

/** The promise, or an error that says what did not happen within the time. */
export async function within<T>(what: string, deadlineMs: number, promise: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = pause(deadlineMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`not within ${deadlineMs} ms: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
