/** Time and timers as a dependency, so that tests can move them. */
export interface Clock {
  now(): Date;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. Timers do not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** setTimeout's longest delay; longer waits are taken in steps of it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
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
