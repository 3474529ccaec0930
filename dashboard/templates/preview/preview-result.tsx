import type { Signal } from '@preact/signals';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { Caption } from './caption.ts';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PreviewFile } from './preview-file.tsx';
import { PreviewProblems } from './preview-problems.tsx';
import type { Previews } from './use-preview.ts';

interface PreviewResultProps {
  readonly previews: Previews;
  /** What is previewed, shown above it. */
  readonly caption?: string | undefined;
  readonly zoom: Signal<Zoom>;
}

/** The file of the last preview without errors, and the problems of the latest one. */
export function PreviewResult({ previews, caption, zoom }: PreviewResultProps) {
  const { shown, latest, error, running, retry } = previews;
  const isOutdated = shown.value !== undefined && latest.value?.file === null;
  return (
    <section class="preview-result" aria-label={caption ?? messages.result}>
      {caption !== undefined && <h2 class="preview-caption">{caption}</h2>}
      {error.value !== undefined && <ErrorNotice error={error.value} onRetry={retry} />}
      {isOutdated && <Notice kind="warning">{messages.outdated}</Notice>}
      <div class="preview-view">
        {shown.value ? (
          <Caption.Provider value={caption}>
            <PreviewFile preview={shown.value} zoom={zoom} />
          </Caption.Provider>
        ) : (
          <p class="preview-empty muted">{!running.value && messages.empty}</p>
        )}
      </div>
      {latest.value && <PreviewProblems preview={latest.value} />}
    </section>
  );
}
