import { useSignal } from '@preact/signals';
import type { Template, TemplateVersion } from '@trifold/client';
import { useEffect, useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Choice } from '../../components/controls/field.tsx';
import { Switch } from '../../components/controls/switch.tsx';
import { formatNumber } from '../../components/format.ts';
import { Loaded } from '../../components/notices/loading.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useMedia } from '../../components/use-media.ts';
import { useResource } from '../../loading/resource.ts';
import { editor } from '../../messages/template-editor.ts';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { theme } from '../../shell/theme.ts';
import { changedParts, partTexts, type LabelledText, type Part } from './part-texts.ts';
import styles from './history-page.module.css';

const PART_NAMES = { ...editor.parts, settings: messages.settings };

interface VersionChangesProps {
  /** The current template. */
  readonly template: Template;
  /** The selected version. */
  readonly shown: Template;
  /** Loaded versions of the list, newest first. */
  readonly entries: readonly TemplateVersion[];
}

/** The differences between a version and the previous or current one. */
export function VersionChanges({ template, shown, entries }: VersionChangesProps) {
  const before = entries[entries.findIndex(({ version }) => version === shown.version) + 1]?.version;
  const isCurrent = shown.version === template.version;
  const choices = {
    ...(before !== undefined && { before: messages.withBefore(formatNumber(before)) }),
    ...(!isCurrent && { current: messages.withCurrent(formatNumber(template.version)) }),
  };
  const chosen = useSignal('before');
  const other = chosen.value in choices ? chosen.value : Object.keys(choices)[0];
  if (other === undefined) return <p>{messages.noOther}</p>;
  return (
    <>
      <Switch
        label={messages.compareWith}
        choices={choices}
        value={other}
        onChange={(value) => void (chosen.value = value)}
      />
      {other === 'current' ? (
        <Comparison older={shown} newer={template} />
      ) : (
        <ComparisonWithFormer shown={shown} before={before ?? 0} />
      )}
    </>
  );
}

function ComparisonWithFormer({ shown, before }: { readonly shown: Template; readonly before: number }) {
  const { client } = useSession();
  const former = useResource(
    async (signal) => client.templates.versions.get(shown.id, before, { signal }),
    [shown.id, before],
  );
  return <Loaded resource={former}>{(older) => <Comparison older={older} newer={shown} />}</Loaded>;
}

function Comparison({ older, newer }: { readonly older: Template; readonly newer: Template }) {
  const chosen = useSignal<Part | undefined>(undefined);
  const [before, after] = [partTexts(older), partTexts(newer)];
  const parts = changedParts(before, after);
  const part = chosen.value && parts.includes(chosen.value) ? chosen.value : parts[0];
  if (part === undefined) return <p>{messages.same}</p>;
  return (
    <>
      <Switch
        label={messages.part}
        choices={Object.fromEntries(parts.map((value) => [value, PART_NAMES[value]]))}
        value={part}
        onChange={(value) => void (chosen.value = value)}
      />
      <TextDiff
        before={{ label: messages.version(formatNumber(older.version)), text: before[part] }}
        after={{ label: messages.version(formatNumber(newer.version)), text: after[part] }}
        part={part}
      />
    </>
  );
}

interface TextDiffProps {
  readonly before: LabelledText;
  readonly after: LabelledText;
  /** Description of the strings. */
  readonly part: Part;
}

/** Two strings side by side; on a narrow screen, a unified diff. */
function TextDiff({ before, after, part }: TextDiffProps) {
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
    <div class={styles.diff}>
      <ErrorNotice error={error.value} />
      <div class={classes(styles.labels, 'small muted')}>
        <span>{isNarrow.value ? `${before.label} → ${after.label}` : before.label}</span>
        {!isNarrow.value && <span>{after.label}</span>}
      </div>
      <div class={styles.view} ref={parent} />
      <Choice
        class="small"
        checked={showsAll.value}
        onChange={(event) => void (showsAll.value = event.currentTarget.checked)}
      >
        {messages.showUnchanged}
      </Choice>
    </div>
  );
}
