import { useSignal, type ReadonlySignal } from '@preact/signals';
import { showToast } from '../components/notices/toasts.tsx';
import { useSession } from '../session/session.ts';

/** A user-triggered action and its state. */
export interface Action<Arguments extends unknown[]> {
  /** Starts it. Ignored while it runs. */
  readonly run: (...given: Arguments) => void;
  readonly running: ReadonlySignal<boolean>;
  /** Error from the last run; undefined after success and while running. */
  readonly error: ReadonlySignal<unknown>;
}

/** Performs an action. Returns the confirmation for the user, if any. */
export type Perform<Arguments extends unknown[] = []> = (...given: Arguments) => Promise<string | void>;

/** Wraps an asynchronous function that a button or a form triggers. Only the page that started it confirms it. */
export function useAction<Arguments extends unknown[]>(perform: Perform<Arguments>): Action<Arguments> {
  const { endingSession } = useSession();
  const running = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const run = (...given: Arguments) => {
    if (running.value) return;
    running.value = true;
    error.value = undefined;
    const { pathname } = location;
    perform(...given)
      .then((message) => {
        if (message !== undefined) showToast(message, pathname);
      })
      .catch((thrown: unknown) => {
        error.value = endingSession(thrown);
      })
      .finally(() => {
        running.value = false;
      });
  };
  return { run, running, error };
}
