import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** Timeout in milliseconds. @default 30_000 */
  readonly deadlineMs?: number;
  /** Pause between two checks, in milliseconds. @default 50 */
  readonly intervalMs?: number;
  /** Checked before each attempt; a returned error ends the wait at once. */
  readonly giveUp?: () => Error | undefined;
}

/**
 * Polls until `look` returns something other than undefined or false, and returns that. If `look` throws, the poll
 * continues; an error of the last attempt is the cause of the timeout error.
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

/** Returns the promise; rejects on timeout with an error that names the missing event. */
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
