import type { Application, Services } from '../../services.ts';
import { UsageQuery, usagePeriod } from '../usage-period.ts';
import { UsageView, usageView } from '../usage-view.ts';

const schema = {
  operationId: 'readUsage',
  summary: 'Read the usage',
  description: [
    'Documents by format and kind of key, failures, pages, bytes, batches and emails, by day or month in UTC. Work',
    'counts on the day on which it was accepted, once it is finished. At most 366 days, or 36 months, at a time.',
  ].join('\n'),
  tags: ['Usage'],
  querystring: UsageQuery,
  response: { 200: UsageView },
} as const;

/** GET /v1/usage */
export function readUsage(app: Application, { usage, clock }: Services): void {
  app.get('/v1/usage', { schema }, async ({ caller, query }) => {
    const period = usagePeriod(query, clock.now());
    return usageView(await usage.read(caller.account, period), period, query.granularity);
  });
}
