import type { Usage } from '@trifold/client';
import { formatBytes, formatNumber } from '../components/format.ts';
import { FORMAT_NAMES } from '../documents/formats.ts';
import { usage as messages } from '../messages/usage.ts';
import { countOf, isUsed, totalOf, type Keys, type UsageEntry } from './counts.ts';
import { formatDate } from './dates.ts';
import { Numbers } from './numbers.tsx';
import styles from './usage.module.css';

/** The totals for the period, and the account's current storage. */
export function UsageSums({ total, storage }: Pick<Usage, 'total' | 'storage'>) {
  const live = formatNumber(totalOf(total, 'live'));
  const test = formatNumber(totalOf(total, 'test'));
  const { bytes, limit } = storage;
  const sums: [label: string, sum: string, note?: string | null][] = [
    [messages.documents, formatNumber(totalOf(total, 'all')), messages.liveAndTest(live, test)],
    [messages.failed, formatNumber(total.failed)],
    [messages.pages, formatNumber(total.pages)],
    [messages.bytes, formatBytes(total.bytes)],
    [messages.batches, formatNumber(total.batches)],
    [messages.emails, formatNumber(total.emails)],
  ];
  const ofLimit = limit === null ? null : messages.storedLimit(formatBytes(limit));
  if (bytes !== null) sums.push([messages.stored, formatBytes(bytes), ofLimit]);
  return (
    <dl class={styles.sums}>
      {sums.map(([label, sum, note]) => (
        <div class={styles.sum} key={label}>
          <dt>{label}</dt>
          <dd>{sum}</dd>
          {note && <dd class="small muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface UsageTableProps {
  readonly entries: readonly UsageEntry[];
  readonly keys: Keys;
}

/** The numbers for dates with usage, newest first: those in the plot and those that it omits. */
export function UsageTable({ entries, keys }: UsageTableProps) {
  // The service does not count these by key type.
  const rest = keys === 'all' ? [messages.failed, messages.pages, messages.bytes, messages.emails] : [];
  const restOf = ({ failed, pages, bytes, emails }: UsageEntry) =>
    [formatNumber(failed), formatNumber(pages), formatBytes(bytes), formatNumber(emails)].slice(
      0,
      rest.length,
    );
  return (
    <Numbers
      label={messages.table}
      columns={[
        messages.date,
        ...FORMAT_NAMES.map((format) => messages.formats[format]),
        messages.sum,
        ...rest,
      ]}
      rows={entries
        .filter((entry) => isUsed(entry, keys))
        .toReversed()
        .map((entry) => [
          formatDate(entry.date),
          ...FORMAT_NAMES.map((format) => formatNumber(countOf(entry, format, keys))),
          formatNumber(totalOf(entry, keys)),
          ...restOf(entry),
        ])}
    />
  );
}
