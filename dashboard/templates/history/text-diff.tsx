import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { theme } from '../../shell/theme.ts';
import type { LabelledText, Part } from './part-texts.ts';
import { useMedia } from './use-media.ts';

interface TextDiffProps {
  readonly before: LabelledText;
  readonly after: LabelledText;
  /** What the texts are. */
  readonly part: Part;
}

/** Two texts side by side; on a narrow screen, one text with what was removed. */
export function TextDiff({ before, after, part }: TextDiffProps) {
  const parent = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia('(width < 70rem)');
  const showsAll = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const inputs = [before.text, after.text, part, isNarrow.value, showsAll.value, theme.value];
  useEffect(() => {
    const abort = new AbortController();
    openDiff(parent.current, abort.signal).catch((thrown: unknown) => void (error.value = thrown));
    return () => abort.abort();
  }, inputs);

  const openDiff = async (element: HTMLElement | null, signal: AbortSignal) => {
    const { showDiff } = await import('./diff-view.ts');
    if (!element || signal.aborted) return;
    const close = showDiff(element, {
      before,
      after,
      part,
      isUnified: isNarrow.value,
      collapses: !showsAll.value,
      isDark: theme.value === 'dark',
    });
    signal.addEventListener('abort', close, { once: true });
  };
  return (
    <div class="text-diff">
      {error.value !== undefined && <ErrorNotice error={error.value} />}
      <div class="text-diff-labels small muted">
        <span>{isNarrow.value ? `${before.label} → ${after.label}` : before.label}</span>
        {!isNarrow.value && <span>{after.label}</span>}
      </div>
      <div class="text-diff-view" ref={parent} />
      <label class="choice small">
        <input
          type="checkbox"
          checked={showsAll.value}
          onChange={(event) => void (showsAll.value = event.currentTarget.checked)}
        />
        <span>{messages.showUnchanged}</span>
      </label>
    </div>
  );
}
