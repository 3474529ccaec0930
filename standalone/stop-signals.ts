import { constants } from 'node:os';

/**
 * Ctrl-C in a terminal signals every process in the group, and npm, which is in the group, forwards the signal again.
 * Another signal within this time counts as the same one.
 */
const SAME_ORDER_MS = 500;

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Returns the exit code that a shell reports for the signal: 130 for Ctrl-C. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Calls `onFirst` on the first SIGINT or SIGTERM. A second signal exits the process immediately; work registered with
 * `onProcessExit` still runs.
 */
export function onStopSignal(onFirst: (signal: StopSignal) => void): void {
  let first: number | undefined;
  const onSignal = (signal: StopSignal) => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      onFirst(signal);
    } else if (now - first >= SAME_ORDER_MS) {
      process.exit(exitCodeOf(signal));
    }
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
}
