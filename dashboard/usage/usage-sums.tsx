import type { Usage } from '@trifold/client';
import { formatBytes, formatNumber } from '../components/format.ts';
import { usage as messages } from '../messages/usage.ts';
import { totalOf } from './counts.ts';
import styles from './usage.module.css';

/** The totals for the period, and the account's current storage. */
export function UsageSums({ total, storage }: Pick<Usage, 'total' | 'storage'>) {
  const live = formatNumber(totalOf(total, 'live'));
  const test = formatNumber(totalOf(total, 'test'));
  const sums: readonly (readonly [label: string, sum: string, note?: string | null])[] = [
    [messages.documents, formatNumber(totalOf(total, 'all')), messages.liveAndTest(live, test)],
    [messages.failed, formatNumber(total.failed)],
    [messages.pages, formatNumber(total.pages)],
    [messages.bytes, formatBytes(total.bytes)],
    [messages.batches, formatNumber(total.batches)],
    [messages.emails, formatNumber(total.emails)],
    ...(storage.bytes === null ? [] : [storedSum(storage.bytes, storage.limit)]),
  ];
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

function storedSum(bytes: number, limit: number | null) {
  const note = limit === null ? null : messages.storedLimit(formatBytes(limit));
  return [messages.stored, formatBytes(bytes), note] as const;
}
