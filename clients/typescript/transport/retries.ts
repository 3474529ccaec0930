import { TrifoldError } from '../errors/trifold-error.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8000;

export interface RetryRules {
  /** Maximum number of retries. */
  readonly retries: number;
  /** Remaining time for the call, in milliseconds. */
  readonly leftMs: () => number;
  /** The caller's signal; ends a pause. */
  readonly signal: AbortSignal | undefined;
  /** Replaceable in tests. */
  readonly pause?: typeof pause;
}

/**
 * Runs a call and retries it after retryable errors. Waits as long as Retry-After specifies, or else 250 ms, 500 ms and
 * so on up to 8 s, each randomly shortened by up to half. If the pause exceeds the call's remaining time, the error is
 * thrown immediately.
 */
export async function withRetries<T>(run: () => Promise<T>, rules: RetryRules): Promise<T> {
  const wait = rules.pause ?? pause;
  for (let tried = 0; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried >= rules.retries || !(error instanceof TrifoldError) || !error.retryable) throw error;
      const waitMs = error.retryAfterMs ?? backoffMs(tried);
      if (waitMs >= rules.leftMs()) throw error;
      await wait(waitMs, rules.signal);
    }
  }
}

function backoffMs(tried: number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
  return longest * (1 - Math.random() / 2);
}

/** Waits. Rejects with the signal's reason when it aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Parses a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3), into milliseconds. Returns undefined if it
 * is missing or invalid.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
