import './preview-pane.css';
import type { ReadonlySignal } from '@preact/signals';
import type { Preview, PreviewRequest } from '@trifold/client';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Switch } from '../../components/switch.tsx';
import { text } from '../../messages/text.ts';
import { PreviewFile } from './preview-file.tsx';
import { PreviewProblems } from './preview-problems.tsx';
import { PreviewTimings } from './preview-timings.tsx';
import { useFormat } from './use-format.ts';
import { usePreview } from './use-preview.ts';

const { preview: messages } = text;

interface PreviewPaneProps {
  /** What to preview; undefined while there is nothing. Its `format` is ignored: the pane has a switch. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Called with every answer, and with undefined when there is none. */
  readonly onResult: (result: Preview | undefined) => void;
}

/**
 * A template with data as the service prints it, a moment after each change. The last preview without errors stays
 * visible until there is a newer one. The pane is as high as its parent.
 */
export function PreviewPane({ request, onResult }: PreviewPaneProps) {
  const { format, formats, choose } = useFormat(request);
  const { shown, latest, error, running, retry } = usePreview({ request, format, onResult });
  const isOutdated = shown.value !== undefined && latest.value?.file === null;
  return (
    <section class="preview-pane" aria-label={messages.title} aria-busy={running.value}>
      <header class="preview-bar">
        <Switch
          label={messages.format}
          choices={formats.value.map((value) => ({ value, label: messages.formats[value] }))}
          value={format.value}
          onChange={choose}
        />
        <PreviewTimings timings={latest.value?.timings} running={running.value} />
      </header>
      {error.value !== undefined && <ErrorNotice error={error.value} onRetry={retry} />}
      {isOutdated && <Notice kind="warning">{messages.outdated}</Notice>}
      <div class="preview-view">
        {shown.value ? (
          <PreviewFile preview={shown.value} />
        ) : (
          <p class="preview-empty muted">{!running.value && messages.empty}</p>
        )}
      </div>
      {latest.value && <PreviewProblems preview={latest.value} />}
    </section>
  );
}
