import { TrifoldError } from '../errors/trifold-error.ts';
import { pause } from './pause.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

export interface RetryRules {
  /** Maximum number of retries. */
  readonly retries: number;
  /** Remaining milliseconds of the call. */
  readonly leftMs: () => number;
  /** The caller's signal; ends a pause. */
  readonly signal: AbortSignal | undefined;
  /** Replaceable by tests. */
  readonly pause?: typeof pause;
}

/**
 * Runs a call and retries it after retryable errors. It waits for the time in Retry-After, otherwise 250 ms, 500 ms and
 * so on up to 8 s, each shortened at random by up to half. If the pause exceeds the remaining time of the call, the
 * error is thrown at once.
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
