import type { BatchItem } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../components/format.ts';
import { batches as messages } from '../../messages/documents.ts';
import { ErrorText, remedyOf } from '../problem.tsx';
import { WarningText } from '../work-parts.tsx';
import styles from '../documents.module.css';

type BatchError = NonNullable<BatchItem['error']>;
type Warning = NonNullable<BatchItem['warnings']>[number];

/** An error or warning, and the items that it affects. */
interface Note {
  readonly error?: BatchError | undefined;
  readonly warning?: Warning;
  readonly indexes: number[];
}

/** The errors and warnings for a batch: each once, with its remedy, its count and its items. */
export function BatchNotes({ items }: { readonly items: readonly BatchItem[] }) {
  const notes = notesOf(items);
  if (notes.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="notes">
      <h2 id="notes">{messages.notes}</h2>
      <div class="card">
        <ul class={styles.warnings}>
          {notes.map(({ error, warning, indexes }) => {
            const count = <strong>{messages.times(formatNumber(indexes.length))}</strong>;
            return (
              <li key={JSON.stringify([error, warning])} class={error && styles.isError}>
                {error && <ItemError error={error} before={count} />}
                {warning && <WarningText warning={warning} before={count} />}
                <p class="small muted">{messages.inDocuments(rangesOf(indexes))}</p>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function ItemError({ error, before }: { readonly error: BatchError; readonly before: ComponentChildren }) {
  const remedy = remedyOf(error.code);
  return (
    <>
      <p>
        {before} <ErrorText error={error} />
      </p>
      {remedy && <p class="small muted">{remedy}</p>}
    </>
  );
}

/** Returns the errors, then the warnings, the most frequent first. */
function notesOf(items: readonly BatchItem[]): readonly Note[] {
  const found = items.flatMap(({ index, error, warnings = [] }): Note[] => [
    ...(error ? [{ error, indexes: [index] }] : []),
    ...warnings.map((warning) => ({ warning, indexes: [index] })),
  ]);
  const notes = new Map<string, Note>();
  for (const note of found) {
    const key = JSON.stringify([note.error, note.warning]);
    const same = notes.get(key);
    if (same) same.indexes.push(...note.indexes);
    else notes.set(key, note);
  }
  const rank = ({ error }: Note) => (error ? 0 : 1);
  return [...notes.values()].sort(
    (one, other) => rank(one) - rank(other) || other.indexes.length - one.indexes.length,
  );
}

/** Returns item numbers, for example "1–5, 7". `indexes`: ascending. */
function rangesOf(indexes: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const index of indexes) {
    const range = ranges.at(-1);
    if (range && range[1] === index - 1) range[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => [...new Set([first, last])].map((index) => formatNumber(index + 1)).join('–'))
    .join(', ');
}
