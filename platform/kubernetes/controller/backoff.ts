/** Exponential backoff: base, twice the base, four times … up to the cap, all in milliseconds. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Jitter takes up to this share of a delay away, so that many clients that failed together do not return together. */
const JITTER = 0.25;

/**
 * How long to wait after `failures` failures in a row before this one (0 for the first): never more than the cap.
 * `random` answers in [0, 1).
 */
export function backoffDelay(backoff: Backoff, failures: number, random: () => number): number {
  // 2 ** 1024 is Infinity; the cap takes care of it.
  const delay = Math.min(backoff.capMs, backoff.baseMs * 2 ** failures);
  return delay * (1 - JITTER * random());
}
