import { constants } from 'node:os';

/**
 * A terminal's Ctrl-C signals every process of the group, and npm, one of them, passes the signal on to us once more:
 * what comes so soon is the same order.
 */
const SAME_ORDER_MS = 500;

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** What a shell reports for a process that ended because of the signal: 130 for Ctrl-C. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Calls `onFirst` when the process is asked to stop by SIGINT or SIGTERM. Asked a second time it exits at once; work
 * registered with `onProcessExit` is still done.
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
