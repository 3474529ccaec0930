import { addUsage, NO_USAGE, type UsageCounters } from '@trifold/platform/records/usage/usage-counters.ts';
import { byFormat } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { nullable } from '../server/http/route-schemas.ts';
import type { AccountStorage } from '../server/quota/storage-quota.ts';
import { entriesOf, monthOf, type Granularity, type Period } from './usage-period.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Documents = Type.Object(
  byFormat((_, { billedAs }) => Count(`${billedAs}.`)),
  { description: 'Generated documents by format. Batch items count as documents.' },
);

const counters = {
  documents: Type.Object({ live: Documents, test: Documents }, { description: 'Counts by key type.' }),
  failed: Count('Documents that failed.'),
  pages: Count('Total number of pages in completed PDF documents.'),
  bytes: Count('Total size of completed documents, in bytes.'),
  batches: Count('Finished batches.'),
  emails: Count('Emails compiled.'),
};

const UsageTotal = Type.Object(counters, { title: 'UsageTotal', description: 'Sum of all entries.' });

const UsageEntry = Type.Object(
  { date: Type.String({ description: 'The day (`2026-11-21`) or month (`2026-11`).' }), ...counters },
  { title: 'UsageEntry', description: 'Usage for one day or month, for both key types.' },
);

/** Time up to which the counts in a response are complete. */
export const AsOf = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: [
    'Work that finished before this time is included, but emails compiled in the two seconds before it may be missing. The time is',
    'usually at most ten seconds old, but older while no controller is running. null until a controller has run for the first time.',
  ].join('\n'),
});

const Storage = Type.Object(
  {
    bytes: nullable(
      Count("Total size of the account's objects, in bytes."),
      'null until a controller has counted the objects for the first time.',
    ),
    limit: nullable(
      Count('Size, in bytes, at which requests that store data return 507.'),
      'null: no limit.',
    ),
    as_of: nullable(
      Type.String({ format: 'date-time' }),
      'Time of the count, usually at most five minutes ago.',
    ),
  },
  {
    title: 'Storage',
    description: 'Documents, data, records and template versions in the object store.',
  },
);

/** Response to `GET /v1/usage`. */
export const UsageView = Type.Object(
  {
    from: Type.String({ description: 'First day, in UTC.' }),
    to: Type.String({ description: 'Last day, in UTC.' }),
    data: Type.Array(UsageEntry, { description: 'One entry for each day or month in the period, in order.' }),
    total: UsageTotal,
    as_of: AsOf,
    storage: Storage,
  },
  { title: 'Usage', description: 'Account usage in a period.' },
);
export type UsageView = Static<typeof UsageView>;

const EXAMPLE_COUNTS: Static<typeof UsageTotal> = {
  documents: {
    live: { ...NO_USAGE.documents.live, pdf: 410, png: 12, docx: 3 },
    test: { ...NO_USAGE.documents.test, pdf: 57 },
  },
  failed: 2,
  pages: 934,
  bytes: 21_483_022,
  batches: 4,
  emails: 120,
};

export const EXAMPLE_USAGE: UsageView = {
  from: '2026-11-01',
  to: '2026-11-30',
  data: [{ date: '2026-11', ...EXAMPLE_COUNTS }],
  total: EXAMPLE_COUNTS,
  as_of: '2026-11-23T16:04:40.000Z',
  storage: { bytes: 38_220_144, limit: 53_687_091_200, as_of: '2026-11-23T16:00:00.000Z' },
};

export interface AccountUsage {
  /** By day; days without usage are absent. */
  readonly days: ReadonlyMap<string, UsageCounters>;
  /** Time in ISO 8601 up to which finished work is included; null before a controller has run. */
  readonly asOf: string | null;
}

/** Returns the API view of the period; days without usage are all zeros. */
export function usageView(
  { days, asOf }: AccountUsage,
  period: Period,
  granularity: Granularity,
  { asOf: as_of, ...storage }: AccountStorage,
): UsageView {
  const entries = new Map(entriesOf(period, granularity).map((name) => [name, NO_USAGE]));
  let total = NO_USAGE;
  for (const [day, usage] of within(days, period)) {
    const name = granularity === 'day' ? day : monthOf(day);
    entries.set(name, addUsage(entries.get(name) ?? NO_USAGE, usage));
    total = addUsage(total, usage);
  }
  const data = Array.from(entries, ([date, usage]) => ({ date, ...shown(usage) }));
  const { from, to } = period;
  return { from, to, data, total: shown(total), as_of: asOf, storage: { ...storage, as_of } };
}

/** Returns the total usage for the period. */
export function usageIn(days: AccountUsage['days'], period: Period): UsageCounters {
  return within(days, period).reduce((sum, [, usage]) => addUsage(sum, usage), NO_USAGE);
}

function within(days: AccountUsage['days'], { from, to }: Period): [string, UsageCounters][] {
  return [...days].filter(([day]) => day >= from && day <= to);
}

function shown({ documents, failed, pages, bytes, batches, emails }: UsageCounters): UsageView['total'] {
  const { live, test } = documents;
  const both = emails.live + emails.test;
  return { documents: { live: { ...live }, test: { ...test } }, failed, pages, bytes, batches, emails: both };
}
