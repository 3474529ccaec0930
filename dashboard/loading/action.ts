import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useSession } from '../session/session.ts';

/** A user-triggered action and its state. */
export interface Action<Arguments extends unknown[]> {
  /** Starts it. Ignored while it runs. */
  readonly run: (...given: Arguments) => void;
  readonly running: ReadonlySignal<boolean>;
  /** Error of the last run; undefined after success and while running. */
  readonly error: ReadonlySignal<unknown>;
}

/** Wraps an asynchronous function that a button or a form triggers. */
export function useAction<Arguments extends unknown[]>(
  perform: (...given: Arguments) => Promise<void>,
): Action<Arguments> {
  const { endingSession } = useSession();
  const running = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const run = (...given: Arguments) => {
    if (running.value) return;
    running.value = true;
    error.value = undefined;
    perform(...given)
      .catch((thrown: unknown) => {
        error.value = endingSession(thrown);
      })
      .finally(() => {
        running.value = false;
      });
  };
  return { run, running, error };
}
