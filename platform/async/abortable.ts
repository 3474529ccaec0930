/**
 * Settles as the promise does, or rejects with the signal's reason as soon as the signal aborts. A later outcome of the
 * promise is ignored, so that a peer that ignores the signal cannot delay a stop.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    // The abort comes first in the race, so it wins if both are already settled.
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Yields the items of an iterable until its end. Throws the signal's reason when the signal aborts. */
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
