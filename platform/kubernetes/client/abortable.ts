/**
 * The promise's outcome, or the signal's reason as soon as it aborts. What the promise does later is ignored, so that
 * a peer that does not react to the signal cannot hold up a stop.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    // The abort comes first in the race: of two that are settled already, it wins.
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The pieces of an iterable until its end or the signal's abort, which throws the signal's reason. */
export async function* abortableItems<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      ended = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: an iterator that hangs in next() would hang in return() too.
    if (!ended) iterator.return?.().catch(() => {});
  }
}
