import { formatBytes, formatNumber } from '../components/format.ts';
import { usage as messages } from '../messages/usage.ts';
import { countOf, FORMATS, totalOf, type Keys, type UsageEntry } from './counts.ts';
import { formatDate } from './dates.ts';
import styles from './usage.module.css';

interface UsageTableProps {
  readonly entries: readonly UsageEntry[];
  readonly keys: Keys;
}

/** The numbers of the plot and those that it does not show, newest first. */
export function UsageTable({ entries, keys }: UsageTableProps) {
  const showsRest = keys === 'all';
  const rest = showsRest ? [messages.failed, messages.pages, messages.bytes, messages.emails] : [];
  return (
    <div class={styles.scroll} role="region" aria-label={messages.table} tabIndex={0}>
      <table class={styles.numbers}>
        <caption class="visually-hidden">{messages.table}</caption>
        <thead>
          <tr>
            <th scope="col">{messages.date}</th>
            {[...FORMATS.map((format) => messages.formats[format]), messages.sum, ...rest].map((label) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.toReversed().map((entry) => (
            <tr key={entry.date}>
              <th scope="row">{formatDate(entry.date)}</th>
              {FORMATS.map((format) => (
                <td key={format}>{formatNumber(countOf(entry, format, keys))}</td>
              ))}
              <td>{formatNumber(totalOf(entry, keys))}</td>
              {showsRest && <Rest entry={entry} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers that the service does not count by type of key. */
function Rest({ entry: { failed, pages, bytes, emails } }: { readonly entry: UsageEntry }) {
  return (
    <>
      <td>{formatNumber(failed)}</td>
      <td>{formatNumber(pages)}</td>
      <td>{formatBytes(bytes)}</td>
      <td>{formatNumber(emails)}</td>
    </>
  );
}
