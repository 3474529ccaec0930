/** Does it for each, so many at a time. After a failure nothing more is begun; rejects with the first one. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (failed) return;
      try {
        await action(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, items.length) }, worker),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
