/** Exponential backoff: starts at the base and doubles up to the cap, all in milliseconds. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Jitter shortens a delay by up to this fraction, so that clients that failed together do not retry together. */
const JITTER = 0.25;

/**
 * Returns the delay after `failures` consecutive failures before this one (0 for the first), never more than the cap.
 * `random` returns a number in [0, 1).
 */
export function backoffDelay(backoff: Backoff, failures: number, random: () => number): number {
  // 2 ** 1024 is Infinity; the cap handles that.
  const delay = Math.min(backoff.capMs, backoff.baseMs * 2 ** failures);
  return delay * (1 - JITTER * random());
}
