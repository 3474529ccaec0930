import type { Usage } from '@trifold/client';
import { formatBytes, formatNumber } from '../components/format.ts';
import { usage as messages } from '../messages/usage.ts';
import { totalOf } from './counts.ts';
import styles from './usage.module.css';

/** The totals for the period, and the account's current storage. */
export function UsageSums({ total, storage }: Pick<Usage, 'total' | 'storage'>) {
  const { failed, pages, bytes, batches, emails } = total;
  const live = formatNumber(totalOf(total, 'live'));
  const test = formatNumber(totalOf(total, 'test'));
  return (
    <dl class={styles.sums}>
      <Sum
        label={messages.documents}
        value={formatNumber(totalOf(total, 'all'))}
        note={messages.liveAndTest(live, test)}
      />
      <Sum label={messages.failed} value={formatNumber(failed)} />
      <Sum label={messages.pages} value={formatNumber(pages)} />
      <Sum label={messages.bytes} value={formatBytes(bytes)} />
      <Sum label={messages.batches} value={formatNumber(batches)} />
      <Sum label={messages.emails} value={formatNumber(emails)} />
      {storage.bytes !== null && (
        <Sum
          label={messages.stored}
          value={formatBytes(storage.bytes)}
          {...(storage.limit !== null && { note: messages.storedLimit(formatBytes(storage.limit)) })}
        />
      )}
    </dl>
  );
}

interface SumProps {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

function Sum({ label, value, note }: SumProps) {
  return (
    <div class={styles.sum}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd class="small muted">{note}</dd>}
    </div>
  );
}
