/**
 * Does it for each, in their order, so many at a time; what is added to the items meanwhile is taken as well. After a
 * failure nothing more is begun. Settles when all that was begun has ended; rejects with a failure if there was one.
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
