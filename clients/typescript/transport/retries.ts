import { TrifoldError } from '../errors/trifold-error.ts';
import { pause } from './pause.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

export interface RetryRules {
  /** How often a call is tried again at most. */
  readonly retries: number;
  /** Milliseconds that are left for the call. */
  readonly leftMs: () => number;
  /** The caller's: ends a wait. */
  readonly signal: AbortSignal | undefined;
  /** For tests. */
  readonly pause?: typeof pause;
}

/**
 * Runs a call, and again after errors that may pass: after what Retry-After says, otherwise after 250 ms, 500 ms and so
 * on up to 8 s, each shortened at random by up to half. A wait that the call has no time for is not begun: its error
 * is thrown at once.
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
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
  return longest * (1 - Math.random() / 2);
}
