import { useComputed, useSignal, useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Preview, PreviewRequest, Template } from '@trifold/client';
import { useCallback, useRef } from 'preact/hooks';
import { OUTAGE_MS, useReloadWhile } from '../../loading/reload-while.ts';
import { isPassing } from '../../loading/resource.ts';
import { useSession } from '../../session/session.ts';

/** Milliseconds without a change before a preview replaces one that is not ready. */
const DEBOUNCE_MS = 40;

/** A preview that has a file. */
export interface ShownPreview {
  readonly format: PreviewFormat;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly email: Preview['email'];
}

/** Previews of a changing request. */
export interface Previews {
  /** The last preview with a file, even while a newer one is in progress or has errors. */
  readonly shown: ReadonlySignal<ShownPreview | undefined>;
  /** The last response; undefined after a failed call. */
  readonly latest: ReadonlySignal<Preview | undefined>;
  /** Error of the last call. */
  readonly error: ReadonlySignal<unknown>;
  readonly running: ReadonlySignal<boolean>;
  /** Whether the shown preview is older than the last response or failed call. */
  readonly isOutdated: ReadonlySignal<boolean>;
  /** Calls again. */
  readonly retry: () => void;
}

/** A stored version with data, which a session that can only read templates can preview. */
export interface SavedPreview {
  readonly saved: Template;
  readonly data: PreviewRequest['data'];
}

export type PreviewSource = PreviewRequest | SavedPreview;

interface PreviewInputs {
  /** Undefined: there is nothing to preview. */
  readonly request: ReadonlySignal<PreviewSource | undefined>;
  readonly format: ReadonlySignal<PreviewFormat>;
  /** Called with each response; with undefined when a call fails. */
  readonly onResult?: ((result: Preview | undefined) => void) | undefined;
}

/**
 * Previews a request whenever it changes. A newer preview cancels an older one, both here and in the service. Retries
 * while the service is unavailable.
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
    onResult?.(result);
  };
  const render = async (source: PreviewSource, asked: PreviewFormat, signal: AbortSignal) => {
    const options = { session, signal };
    if (!('saved' in source)) return client.templates.preview({ ...source, format: asked }, options);
    const { saved, data } = source;
    return client.templates.versions.preview(saved.id, saved.version, { data, format: asked }, options);
  };
  const run = async (source: PreviewSource, asked: PreviewFormat, signal: AbortSignal) => {
    try {
      const result = await render(source, asked, signal);
      if (signal.aborted) return;
      const { file, email } = result;
      if (file !== null) shown.value = { format: asked, file: bytesOf(file), email };
      finish(result);
    } catch (thrown) {
      if (signal.aborted) return;
      finish(undefined, endingSession(thrown));
    }
  };

  useSignalEffect(() => {
    void attempts.value;
    const source = request.value;
    const asked = format.value;
    if (!source) {
      shown.value = undefined;
      finish(undefined);
      return;
    }
    const abort = new AbortController();
    const delay = running.peek() ? DEBOUNCE_MS : 0;
    running.value = true;
    const timer = setTimeout(() => void run(source, asked, abort.signal), delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });

  const retry = useCallback(() => void (attempts.value += 1), []);
  useReloadWhile(isPassing(error.value), retry, OUTAGE_MS);
  const isOutdated = useComputed(() => {
    const hasNewer = latest.value ? latest.value.file !== null : error.value === undefined;
    return shown.value !== undefined && !hasNewer;
  });
  return { shown, latest, error, running, isOutdated, retry };
}

/** Decodes Base64. Throws DOMException `InvalidCharacterError` for any other string. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

export type PreviewFormat = NonNullable<PreviewRequest['format']>;

/** Returns the selected format, initially PDF, and the formats that the template can have. `given`: the selection. */
export function useFormat(
  request: ReadonlySignal<PreviewSource | undefined>,
  given: Signal<PreviewFormat> | undefined,
) {
  const { signedIn } = useSession();
  const own = useSignal<PreviewFormat>('pdf');
  const chosen = given ?? own;
  const hasEmail = useComputed(() => Boolean(templateOf(request.value)?.email));
  const hasEInvoice = useComputed(() => Boolean(templateOf(request.value)?.e_invoice));
  const formats = useComputed((): readonly PreviewFormat[] => [
    ...(signedIn.value?.formats ?? []).filter((name) => name !== 'xml' || hasEInvoice.value),
    ...(hasEmail.value ? (['email'] as const) : []),
  ]);
  const format = useComputed(() => (formats.value.includes(chosen.value) ? chosen.value : 'pdf'));
  return { format, formats, choose: (value: PreviewFormat) => void (chosen.value = value) };
}

function templateOf(source: PreviewSource | undefined) {
  return source && 'saved' in source ? source.saved : source;
}
