import type { Signal } from '@preact/signals';
import type { Preview, PreviewError } from '@trifold/client';
import type { VNode } from 'preact';
import { classes } from '../../components/classes.ts';
import { formatNumber } from '../../components/format.ts';
import { ErrorNotice, Notice } from '../../components/notices/notice.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { Caption } from './caption.ts';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PreviewFile } from './preview-file.tsx';
import type { Previews } from './use-preview.ts';
import styles from './preview.module.css';

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
    <section class={styles.result} aria-label={caption ?? messages.result}>
      {caption !== undefined && <h2 class={styles.caption}>{caption}</h2>}
      {error.value !== undefined && <ErrorNotice error={error.value} onRetry={retry} />}
      {isOutdated && <Notice kind="warning">{messages.outdated}</Notice>}
      <div class={styles.view}>
        {shown.value ? (
          <Caption.Provider value={caption}>
            <PreviewFile preview={shown.value} zoom={zoom} />
          </Caption.Provider>
        ) : (
          <p class={classes(styles.empty, 'muted')}>{!running.value && messages.empty}</p>
        )}
      </div>
      {latest.value && <PreviewProblems preview={latest.value} />}
    </section>
  );
}

/** The errors and warnings of a preview. */
function PreviewProblems({ preview: { errors, warnings } }: { readonly preview: Preview }) {
  return (
    <div class={styles.allProblems} aria-live="polite">
      <Problems label={messages.errors(errors.length)} isDanger>
        {errors.map((error) => (
          <li key={JSON.stringify(error)}>
            <Position error={error} />
            {error.message}
          </li>
        ))}
      </Problems>
      <Problems label={messages.warnings(warnings.length)}>
        {warnings.map((warning) => (
          <li key={JSON.stringify(warning)}>
            <code>{warning.code}</code> {warning.message}
          </li>
        ))}
      </Problems>
    </div>
  );
}

interface ProblemsProps {
  readonly label: string;
  readonly isDanger?: boolean;
  readonly children: VNode[];
}

function Problems({ label, isDanger = false, children }: ProblemsProps) {
  if (children.length === 0) return null;
  return (
    <section class={classes(styles.problems, isDanger && styles.danger)} aria-label={label}>
      <strong>{label}</strong>
      <ul>{children}</ul>
    </section>
  );
}

function Position({ error: { path, line, column } }: { readonly error: PreviewError }) {
  const [part = '', ...below] = (path ?? '').split('/').slice(1);
  const name = [messages.parts[part], below.join('/')].filter(Boolean).join(' ');
  const position = [name, positionOf(line, column)].filter(Boolean).join(', ');
  return position === '' ? null : <strong>{position}: </strong>;
}

function positionOf(line: number | null, column: number | null): string {
  if (line === null) return '';
  if (column === null) return messages.line(formatNumber(line));
  return messages.position(formatNumber(line), formatNumber(column));
}
