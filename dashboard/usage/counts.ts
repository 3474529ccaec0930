import type { DocumentFormat, Usage } from '@trifold/client';
import { FORMAT_NAMES } from '../documents/formats.ts';

export type UsageEntry = Usage['data'][number];

/** Keys whose documents are shown. */
export const KEYS = ['all', 'live', 'test'] as const;
export type Keys = (typeof KEYS)[number];

type Counts = Pick<UsageEntry, 'documents'>;

export function countOf({ documents: { live, test } }: Counts, format: DocumentFormat, keys: Keys): number {
  if (keys === 'all') return live[format] + test[format];
  return keys === 'live' ? live[format] : test[format];
}

/** Returns the number of documents in all formats. */
export function totalOf(counts: Counts, keys: Keys): number {
  return FORMAT_NAMES.reduce((sum, format) => sum + countOf(counts, format, keys), 0);
}

/** Whether an entry has anything to show for these keys. */
export function isUsed(entry: UsageEntry, keys: Keys): boolean {
  const { failed, pages, bytes, batches, emails } = entry;
  return (
    totalOf(entry, keys) > 0 || (keys === 'all' && [failed, pages, bytes, batches, emails].some(Boolean))
  );
}

/** Returns the entries as CSV, one line each, with all numbers. */
export function csvOf(entries: readonly UsageEntry[]): string {
  const columns = (['live', 'test'] as const).flatMap((keys) =>
    FORMAT_NAMES.map((format) => ({ keys, format })),
  );
  const rest = ['failed', 'pages', 'bytes', 'batches', 'emails'] as const;
  const head = ['date', ...columns.map(({ keys, format }) => `${keys}_${format}`), ...rest];
  const lines = entries.map((entry) => [
    entry.date,
    ...columns.map(({ keys, format }) => countOf(entry, format, keys)),
    ...rest.map((name) => entry[name]),
  ]);
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
