import { pause } from '../transport/pause.ts';

/** How a caller waits for the end of something. */
export interface WaitOptions {
  /** Ends the wait; what is waited for goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Time for each look in place of the client's, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between two looks. @default 100 at first, then half as much again up to 2,000 */
  readonly pollMs?: number | undefined;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Looks until `isEnd` says that it is the end, and returns that. Each look has the time of an ordinary call. */
export async function poll<Seen, End extends Seen>(
  look: () => Promise<Seen>,
  isEnd: (seen: Seen) => seen is End,
  { signal, pollMs }: WaitOptions,
): Promise<End> {
  let waitMs = pollMs ?? FIRST_PAUSE_MS;
  for (;;) {
    const seen = await look();
    if (isEnd(seen)) return seen;
    await pause(waitMs, signal);
    if (pollMs === undefined) waitMs = Math.min(LONGEST_PAUSE_MS, waitMs * 1.5);
  }
}
