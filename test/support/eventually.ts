import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Timeout in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Pause between two attempts, in milliseconds. @default 50 */
  readonly intervalMs?: number;
  /** Called after a failed attempt; returning an error ends the wait immediately. */
  readonly giveUp?: () => Error | undefined;
}

/** Causes a type error for a condition that may return `undefined` or `any`: return `false` to repeat it. */
type Definite<T> = 0 extends 1 & T
  ? never
  : [T] extends [void]
    ? unknown
    : undefined extends T
      ? never
      : unknown;

/**
 * Repeats the condition while it throws or returns `false`, and returns its result. On a timeout, the error shows the
 * condition's last error, or the condition itself if it returned `false`.
 */
export async function eventually<T>(
  condition: (() => T | Promise<T>) & Definite<T>,
  { timeoutMs = 30_000, intervalMs = 50, giveUp }: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const endsAt = performance.now() + timeoutMs;
  // Created before the first pause, so that its stack starts at the caller.
  const failure = new Error();
  Error.captureStackTrace(failure, eventually);
  for (;;) {
    let last: unknown;
    try {
      const result = await condition();
      if (result !== false) return result as Exclude<T, false>;
      last = new Error(`the condition returned false: ${condition.toString()}`);
    } catch (error) {
      last = error;
    }
    const ended = giveUp?.();
    if (ended || performance.now() >= endsAt) {
      const reason = ended ? `gave up, ${ended.message}` : `not within ${timeoutMs} ms`;
      failure.message = `${reason}: ${last instanceof Error ? last.message : String(last)}`;
      failure.cause = last;
      failure.stack = failure.stack!.replace('Error', `Error: ${failure.message}`);
      throw failure;
    }
    await sleep(intervalMs);
  }
}
