import { formatBytes, formatNumber } from '../components/format.ts';
import { usage as messages } from '../messages/usage.ts';
import { FORMAT_NAMES } from '../documents/formats.ts';
import { countOf, isUsed, totalOf, type Keys, type UsageEntry } from './counts.ts';
import { formatDate } from './dates.ts';
import { Numbers } from './numbers.tsx';

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
