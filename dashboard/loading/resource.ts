import { useSignal, type ReadonlySignal } from '@preact/signals';
import { TrifoldError } from '@trifold/client';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useSession } from '../session/session.ts';
import { OUTAGE_MS, useReloadWhile } from './reload-while.ts';

/** A resource that a page loads, and its state. */
export interface Resource<Value> {
  /** The last value, even while a newer one is loading; undefined before the first one. */
  readonly value: ReadonlySignal<Value | undefined>;
  readonly error: ReadonlySignal<unknown>;
  readonly loading: ReadonlySignal<boolean>;
  /** Loads again. */
  readonly reload: () => void;
  /** Replaces the value, for example with the response to a change. Aborts a load that would overwrite it. */
  readonly set: (value: Value) => void;
}

/**
 * Loads a resource when the page is shown and when one of `inputs` changes. A newer load or leaving the page aborts an
 * older one. Retries while the service is unavailable. When the session has ended, the sign-in page takes over.
 */
export function useResource<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[] = [],
): Resource<Value> {
  const { endingSession } = useSession();
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const loading = useSignal(true);
  const running = useRef<AbortController>(undefined);
  const reload = useCallback(() => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    loading.value = true;
    load(abort.signal)
      .then(
        (loaded) => {
          if (abort.signal.aborted) return;
          value.value = loaded;
          error.value = undefined;
        },
        (thrown: unknown) => {
          if (!abort.signal.aborted) error.value = endingSession(thrown);
        },
      )
      .finally(() => {
        if (!abort.signal.aborted) loading.value = false;
      });
  }, inputs);
  useEffect(() => {
    reload();
    return () => running.current?.abort();
  }, [reload]);
  useReloadWhile(isPassing(error.value), reload, OUTAGE_MS);
  const set = useCallback((given: Value) => {
    running.current?.abort();
    loading.value = false;
    value.value = given;
  }, []);
  return { value, error, loading, reload, set };
}

/** Returns whether the same call may succeed later. */
export function isPassing(error: unknown): boolean {
  return (error instanceof TrifoldError && error.retryable) || isFetchFailure(error);
}

/** `fetch` rejects with a TypeError when there is no response. */
export function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network/i.test(error.message);
}
