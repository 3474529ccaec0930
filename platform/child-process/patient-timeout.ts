/** Number of parts into which the timeout is divided. */
const PARTS = 4;

/**
 * Calls `onLate` after `milliseconds` in which this process could have read an answer. When the process was blocked for
 * longer or the machine was suspended, its timers fire before it reads answers that arrived meanwhile, so such a pause
 * counts for at most one part of the time. Returns a function that cancels the timeout.
 */
export function patientTimeout(milliseconds: number, onLate: () => void): () => void {
  let timer: NodeJS.Timeout;
  const waitFor = (parts: number) => {
    timer = setTimeout(() => (parts === 1 ? onLate() : waitFor(parts - 1)), milliseconds / PARTS);
  };
  waitFor(PARTS);
  return () => clearTimeout(timer);
}
