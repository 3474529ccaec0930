/**
 * Timeout and interval for `vi.waitFor`, in milliseconds: its default timeout of one second is too short on a busy
 * machine.
 */
export const WAIT = { timeout: 30_000, interval: 5 } as const;
