/**
 * Runs the action for each item in order, `concurrency` at a time, including items added while it runs. After a
 * failure, no further action begins. Settles when all running actions have ended; rejects with a failure if there was
 * one.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed) {
      const next = left.next();
      if (next.done) return;
      try {
        await action(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
