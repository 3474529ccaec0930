import { pause } from '../transport/retries.ts';

/** Options for waiting. */
export interface WaitOptions {
  /** Aborts the wait; the document or batch continues. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout for each poll in milliseconds, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between polls, more than 0. @default 100 at first, then 1.5 times as long each time, up to 2,000 */
  readonly pollMs?: number | undefined;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;

/**
 * Polls until `isEnd` returns true, and returns that result. Each poll has the timeout of a regular call. Throws
 * RangeError for an invalid `pollMs`.
 */
export async function poll<Seen, End extends Seen>(
  look: () => Promise<Seen>,
  isEnd: (seen: Seen) => seen is End,
  { signal, pollMs }: WaitOptions,
): Promise<End> {
  let waitMs = pollMs ?? FIRST_PAUSE_MS;
  if (!(waitMs > 0 && waitMs < Infinity)) throw new RangeError('pollMs must be a positive, finite number');
  for (;;) {
    const seen = await look();
    if (isEnd(seen)) return seen;
    await pause(waitMs, signal);
    if (pollMs === undefined) waitMs = Math.min(MAX_PAUSE_MS, waitMs * 1.5);
  }
}
