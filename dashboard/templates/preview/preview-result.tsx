import type { Signal } from '@preact/signals';
import { classes } from '../../components/classes.ts';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { Caption } from './caption.ts';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PreviewFile } from './preview-file.tsx';
import type { Previews } from './use-preview.ts';
import styles from './preview.module.css';

interface PreviewResultProps {
  readonly previews: Previews;
  /** Caption shown above the preview. */
  readonly caption?: string | undefined;
  readonly zoom: Signal<Zoom>;
}

/** The file from the last preview that has one, and the error from a failed call. */
export function PreviewResult({ previews, caption, zoom }: PreviewResultProps) {
  const { shown, error, running, retry } = previews;
  return (
    <section class={styles.result} aria-label={caption ?? messages.result}>
      {caption !== undefined && <h2 class={styles.caption}>{caption}</h2>}
      <ErrorNotice error={error.value} onRetry={retry} />
      <div class={styles.view}>
        {shown.value ? (
          <Caption.Provider value={caption}>
            <PreviewFile preview={shown.value} zoom={zoom} />
          </Caption.Provider>
        ) : (
          <p class={classes(styles.empty, 'muted')}>{!running.value && messages.empty}</p>
        )}
      </div>
    </section>
  );
}
