import type { UsageCounts } from '@trifold/client';
import { formatBytes, formatNumber } from '../components/format.ts';
import { text } from '../messages/text.ts';
import { totalOf } from './counts.ts';

const { usage: messages } = text;

/** The sums of the period. */
export function UsageSums({ total }: { readonly total: UsageCounts }) {
  const { failed, pages, bytes, batches, emails } = total;
  const live = formatNumber(totalOf(total, 'live'));
  const test = formatNumber(totalOf(total, 'test'));
  return (
    <dl class="sums">
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
    <div class="sum">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd class="small muted">{note}</dd>}
    </div>
  );
}
