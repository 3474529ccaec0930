import './pdf-view.css';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { text } from '../../../messages/text.ts';
import { PdfPages, type PagesState, type Zoom } from './pdf-pages.ts';
import { PdfToolbar } from './pdf-toolbar.tsx';

const { preview: messages } = text;

/** The pages of a PDF. A newer file replaces the old one without a flicker and keeps the scroll position. */
export function PdfView({ file }: { readonly file: Uint8Array }) {
  const view = useRef<HTMLDivElement>(null);
  const pages = useRef<PdfPages>(undefined);
  const state = useSignal<PagesState | undefined>(undefined);
  const zoom = useSignal<Zoom>('width');
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    if (!view.current) return undefined;
    const shown = new PdfPages(view.current, (next) => void (state.value = next));
    pages.current = shown;
    return () => shown.close();
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    pages.current?.show(file, abort.signal).then(
      () => void (error.value = undefined),
      (thrown: unknown) => {
        error.value = new Error(messages.notPdf, { cause: thrown });
      },
    );
    return () => abort.abort();
  }, [file]);
  const onZoom = (next: Zoom) => {
    zoom.value = next;
    pages.current?.zoom(next);
  };
  return (
    <div class="pdf-view">
      {error.value !== undefined && <ErrorNotice error={error.value} />}
      <div
        class="preview-scroll pdf-pages"
        ref={view}
        role="region"
        aria-label={messages.pages}
        tabIndex={0}
      />
      {state.value && <PdfToolbar state={state.value} zoom={zoom.value} onZoom={onZoom} />}
    </div>
  );
}
