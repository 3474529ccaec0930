/** Time and timers as a dependency, so that tests can control them. */
export interface Clock {
  now(): Date;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. Timers do not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Longest delay of setTimeout; longer delays are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const due = Date.now() + delayMs;
    const arm = () => {
      const left = Math.max(0, due - Date.now());
      timer = left > LONGEST_TIMER_MS ? setTimeout(arm, LONGEST_TIMER_MS) : setTimeout(callback, left);
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
