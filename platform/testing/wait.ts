/**
 * How long tests wait with `vi.waitFor` for what happens in its own time: the second that it has of itself is not
 * enough on a busy machine. In milliseconds.
 */
export const WAIT = { timeout: 30_000, interval: 5 } as const;
