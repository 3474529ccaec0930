import { Type, type Static } from 'typebox';
import { immutableMembers } from '../schema/cel.ts';
import { byFormat } from '../schema/document-format.ts';
import { defineKind } from '../schema/kind.ts';
import type { Resource } from '../schema/resource.ts';
import { Count, Timestamp, WorkRef } from '../schema/schema.ts';

/** Maximum number of pending entries: work that is counted, but not yet confirmed deleted. */
export const MAX_PENDING = 500;

/** Subject of a report; its name is the day. */
export const UsageReportSpec = Type.Object(
  {
    day: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      maxLength: 10,
      description: 'Day of the work, in UTC, for example 2026-11-21. Same as the resource name.',
    }),
  },
  { description: 'Day of the report. Immutable.' },
);
export type UsageReportSpec = Static<typeof UsageReportSpec>;

const Count64 = (description: string) => Count(description, { format: 'int64' });

const ByFormat = (description: string) =>
  Type.Object(
    byFormat((_, { billedAs }) => Type.Optional(Count64(`${billedAs} documents.`))),
    { description },
  );

/** Work that has been counted but may still exist. */
export const PendingWork = WorkRef('A resource that is counted and is being deleted.');
export type PendingWork = Static<typeof PendingWork>;

const workCounts = {
  documents: Type.Optional(
    Type.Object(
      {
        live: Type.Optional(ByFormat('Created with live keys.')),
        test: Type.Optional(ByFormat('Created with test keys.')),
      },
      { description: 'Completed documents, including batch items.' },
    ),
  ),
  failed: Type.Optional(Count64('Failed documents, including batch items.')),
  pages: Type.Optional(Count64('Total number of pages in completed PDF documents.')),
  bytes: Type.Optional(Count64('Total size of completed documents, in bytes.')),
  batches: Type.Optional(Count64('Finished batches.')),
};

/** Content of a report. Only the leader writes it, always as a whole. */
export const UsageReportStatus = Type.Object(
  {
    ...workCounts,
    live: Type.Optional(Count64('Documents created with live keys, in all formats.')),
    test: Type.Optional(Count64('Documents created with test keys, in all formats.')),
    emails: Type.Optional(
      Type.Object(
        { live: Type.Optional(Count64('With live keys.')), test: Type.Optional(Count64('With test keys.')) },
        { description: 'Compiled emails; final when emailsCounted is true.' },
      ),
    ),
    emailsCounted: Type.Optional(Type.Boolean({ description: 'Whether the number of emails is final.' })),
    uncounted: Type.Optional(
      Type.Object(
        { work: Type.Optional(Count64('Number of these jobs and batches.')), ...workCounts },
        {
          description:
            'Usage from finished jobs and batches that still exist and are not counted yet; can lag by about ten seconds.',
        },
      ),
    ),
    pendingCount: Type.Optional(
      Count64('Number of counted jobs and batches whose deletion has not been confirmed.'),
    ),
    pending: Type.Optional(
      Type.Array(PendingWork, {
        maxItems: MAX_PENDING,
        description:
          'Counted work whose deletion has not been confirmed; listed so that nothing is counted twice.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['uid'],
      }),
    ),
    countedAt: Type.Optional(Timestamp({ description: 'Time of the last change.' })),
  },
  { description: "Counts so far. The day's usage is the sum of these counts and those in `uncounted`." },
);
export type UsageReportStatus = Static<typeof UsageReportStatus>;

/** An account's usage on one day. */
export type UsageReport = Resource<UsageReportSpec, UsageReportStatus>;

export const USAGE_REPORT = defineKind<UsageReportSpec, UsageReportStatus>({
  kind: 'UsageReport',
  plural: 'usagereports',
  singular: 'usagereport',
  shortNames: ['ur'],
  description: "An account's usage on one day, in UTC. Only the controller writes it.",
  spec: UsageReportSpec,
  status: UsageReportStatus,
  columns: [
    { name: 'Live', type: 'integer', jsonPath: '.status.live', description: 'Documents from live keys.' },
    { name: 'Test', type: 'integer', jsonPath: '.status.test', description: 'Documents from test keys.' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.failed' },
    { name: 'Pages', type: 'integer', jsonPath: '.status.pages' },
    { name: 'Batches', type: 'integer', jsonPath: '.status.batches' },
    {
      name: 'Emails',
      type: 'integer',
      jsonPath: '.status.emails.live',
      description: 'Compiled with live keys.',
    },
    { name: 'Counted', type: 'date', jsonPath: '.status.countedAt' },
    {
      name: 'Uncounted',
      type: 'integer',
      jsonPath: '.status.uncounted.work',
      priority: 1,
      description: 'Finished jobs and batches that are not counted yet.',
    },
    { name: 'Bytes', type: 'integer', jsonPath: '.status.bytes', priority: 1 },
    { name: 'Pending', type: 'integer', jsonPath: '.status.pendingCount', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
  ],
  selectableFields: ['.status.pendingCount', '.status.uncounted.work'],
  rules: [{ path: ['spec'], rule: immutableMembers('day') }],
});
