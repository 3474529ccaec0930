import type { Application, Services } from '../../services.ts';
import { billingView, BillingView } from '../billing-view.ts';
import { billingPeriod, BillingQuery } from '../usage-period.ts';
import { usageIn } from '../usage-view.ts';

const schema = {
  operationId: 'readBilling',
  summary: 'Read the billing of a month',
  description: [
    'Units of a month, of live keys alone, and what they cost where the deployment has prices. Amounts are exact decimal',
    'numbers in strings. A month may still grow while documents that were accepted in it are unfinished.',
  ].join('\n'),
  tags: ['Usage'],
  querystring: BillingQuery,
  response: { 200: BillingView },
} as const;

/** GET /v1/billing */
export function readBilling(app: Application, { usage, clock, config }: Services): void {
  app.get('/v1/billing', { schema }, async ({ caller, query }) => {
    const period = billingPeriod(query.period, clock.now());
    return billingView(usageIn(await usage.read(caller.account, period), period), period, config.prices);
  });
}
