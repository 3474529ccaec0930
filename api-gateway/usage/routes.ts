import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { USAGE_REPORT, type UsageReport } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { readAsOf } from '@trifold/platform/records/usage/stored-totals.ts';
import {
  addUsage,
  uncountedOfReport,
  usageOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { billingView, BillingView, EXAMPLE_BILLING } from './billing-view.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import type { Prices } from './prices.ts';
import { billingPeriod, BillingQuery, usagePeriod, UsageQuery } from './usage-period.ts';
import { EXAMPLE_USAGE, usageView, UsageView, type AccountUsage } from './usage-view.ts';

const usageSchema = {
  operationId: 'readUsage',
  summary: 'Read usage',
  description: [
    'Returns documents by format and key type, failures, pages, bytes, batches and emails, by day or month in UTC. Work',
    'counts toward the day on which it was accepted and appears a few seconds after it finishes. The response is complete',
    'up to `as_of`. At most 366 days, or 36 months, per request. `storage` is the current total size of the stored objects.',
    '',
    'Every day or month in the period has an entry. Batch items count as documents, as do documents created with',
    'kubectl. Emails are counted when they are compiled. Counts are kept for the current month and the 25 before it.',
  ].join('\n'),
  tags: ['Usage'],
  querystring: UsageQuery,
  response: { 200: UsageView },
  responseExamples: { 200: EXAMPLE_USAGE },
} as const;

const billingSchema = {
  operationId: 'readBilling',
  summary: 'Read billing for a month',
  description: [
    'Returns the units in a month, for live keys only, and their cost if the deployment has prices. Amounts are exact',
    'decimal numbers, as strings. The numbers for a month are final when all documents accepted in that month finished',
    'before `as_of`. Failed documents cost nothing.',
  ].join('\n'),
  tags: ['Usage'],
  querystring: BillingQuery,
  response: { 200: BillingView },
  responseExamples: { 200: EXAMPLE_BILLING },
} as const;

/** /v1/usage and /v1/billing */
export const usageRoutes: FastifyPluginAsyncTypebox<{
  readonly kubernetes: KubernetesClient;
  readonly store: Pick<ObjectStore, 'read'>;
  readonly storageQuota: Pick<StorageQuota, 'storageOf'>;
  readonly prices: Prices;
  readonly clock: Pick<Clock, 'now'>;
}> = async (app, options) => {
  const { prices, clock, storageQuota } = options;
  const reports = options.kubernetes.resource<UsageReport>(USAGE_REPORT);

  /** Reads the reports of the account, which the controller keeps up to date. One list is a consistent snapshot. */
  const usageOf = async (account: string): Promise<AccountUsage> => {
    // This is read before the reports, which may be newer but not older.
    const asOf = await readAsOf(options.store);
    const days = new Map<string, UsageCounters>();
    for await (const report of reports.listAll({ namespace: account }))
      days.set(report.metadata.name, addUsage(usageOfReport(report), uncountedOfReport(report)));
    return { days, asOf };
  };

  app.get('/v1/usage', { schema: usageSchema }, async ({ caller, query }) => {
    const period = usagePeriod(query, clock.now());
    const storage = storageQuota.storageOf(caller.account);
    return usageView(await usageOf(caller.account), period, query.granularity, storage);
  });

  app.get('/v1/billing', { schema: billingSchema }, async ({ caller, query }) => {
    const period = billingPeriod(query.period, clock.now());
    return billingView(await usageOf(caller.account), period, prices);
  });
};
