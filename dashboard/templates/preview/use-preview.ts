import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useCallback, useRef } from 'preact/hooks';
import type { Preview, PreviewRequest } from '@trifold/client';
import { useSession } from '../../session/session.ts';
import { useReloadWhile } from '../../loading/reload-while.ts';
import { isPassing } from '../../loading/resource.ts';
import { bytesOf } from './base64.ts';
import { rejectedPreview } from './rejected-preview.ts';
import type { PreviewFormat } from './use-format.ts';

/** Milliseconds without a change before a preview replaces one that is not ready. */
const DEBOUNCE_MS = 40;

/** A preview that has a file. */
export interface ShownPreview {
  readonly format: PreviewFormat;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly email: Preview['email'];
}

/** The previews of a request that changes. */
export interface Previews {
  /** The last preview with a file, also while a newer one is made or has errors. */
  readonly shown: ReadonlySignal<ShownPreview | undefined>;
  /** The last answer; undefined after a failed call. */
  readonly latest: ReadonlySignal<Preview | undefined>;
  /** Error of the last call. */
  readonly error: ReadonlySignal<unknown>;
  readonly running: ReadonlySignal<boolean>;
  /** Calls again. */
  readonly retry: () => void;
}

interface PreviewInputs {
  /** Undefined: there is nothing to preview. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  readonly format: ReadonlySignal<PreviewFormat>;
  /** Called with each answer; with undefined when there is none. */
  readonly onResult: (result: Preview | undefined) => void;
}

/**
 * Previews a request whenever it changes. A newer preview cancels an older one, here and in the service. While the
 * service is away, it tries again.
 */
export function usePreview({ request, format, onResult }: PreviewInputs): Previews {
  const { client, endingSession } = useSession();
  const shown = useSignal<ShownPreview | undefined>(undefined);
  const latest = useSignal<Preview | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const running = useSignal(false);
  const attempts = useSignal(0);
  const { current: session } = useRef(crypto.randomUUID());

  const finish = (result: Preview | undefined, thrown?: unknown) => {
    latest.value = result;
    error.value = thrown;
    running.value = false;
    onResult(result);
  };
  const run = async (asked: PreviewRequest & { format: PreviewFormat }, signal: AbortSignal) => {
    try {
      const result = await client.templates.preview(asked, { session, signal });
      if (signal.aborted) return;
      const { file, email } = result;
      if (file !== null) shown.value = { format: asked.format, file: bytesOf(file), email };
      finish(result);
    } catch (thrown) {
      if (signal.aborted) return;
      const rejected = rejectedPreview(thrown);
      finish(rejected, rejected ? undefined : endingSession(thrown));
    }
  };

  useSignalEffect(() => {
    void attempts.value;
    const asked = request.value && { ...request.value, format: format.value };
    if (!asked) {
      shown.value = undefined;
      finish(undefined);
      return;
    }
    const abort = new AbortController();
    const delay = running.peek() ? DEBOUNCE_MS : 0;
    running.value = true;
    const timer = setTimeout(() => void run(asked, abort.signal), delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });

  const retry = useCallback(() => void (attempts.value += 1), []);
  useReloadWhile(isPassing(error.value), retry);
  return { shown, latest, error, running, retry };
}
