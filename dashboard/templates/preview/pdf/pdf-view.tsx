import { useSignal, type Signal } from '@preact/signals';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { classes } from '../../../components/classes.ts';
import { ErrorNotice } from '../../../components/notices/notice.tsx';
import { preview as messages } from '../../../messages/template-pages.ts';
import { LinkedSource } from '../../source/source-link.ts';
import { useLabel } from '../caption.ts';
import { PdfPages, type PagesState, type Zoom } from './pdf-pages.ts';
import { PdfToolbar } from './pdf-toolbar.tsx';
import { useSourceLink } from './use-source-link.ts';
import styles from '../preview.module.css';

interface PdfViewProps {
  readonly file: Uint8Array;
  readonly zoom: Signal<Zoom>;
}

/** The pages of a PDF. A newer file replaces the old one without flicker and keeps the scroll position. */
export function PdfView({ file, zoom }: PdfViewProps) {
  const label = useLabel(messages.pages);
  const view = useRef<HTMLDivElement>(null);
  const pages = useSignal<PdfPages | undefined>(undefined);
  const state = useSignal<PagesState | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  useLayoutEffect(() => {
    if (!view.current) return undefined;
    const shown = new PdfPages(view.current, (next) => void (state.value = next));
    pages.value = shown;
    const stop = zoom.subscribe((next) => shown.zoom(next));
    return () => {
      stop();
      shown.close();
    };
  }, []);
  // A regular effect would wait for the next frame.
  useLayoutEffect(() => {
    const abort = new AbortController();
    pages
      .peek()
      ?.show(file, abort.signal)
      .then(
        () => void (error.value = undefined),
        (thrown: unknown) => {
          error.value = new Error(messages.notPdf, { cause: thrown });
        },
      );
    return () => abort.abort();
  }, [file]);
  const link = useContext(LinkedSource);
  const { note, goToSource } = useSourceLink(link, view, pages);
  return (
    <div class={styles.pdf}>
      <ErrorNotice error={error.value} />
      <div
        class={classes(styles.scroll, styles.pages)}
        ref={view}
        role="region"
        aria-label={label}
        tabIndex={0}
      />
      <p class={classes(styles.note, 'small')} role="status">
        {note}
      </p>
      {state.value && <PdfToolbar state={state.value} zoom={zoom} onSource={link && goToSource} />}
    </div>
  );
}
