import type { CallOptions } from '../transport/call.ts';
import { Resource, type Query, type Schemas } from './resource.ts';

/** The period, and its granularity. */
export type UsageQuery = Query<'readUsage'>;

/** Usage in a day, a month or the whole period. */
export type UsageCounts = Readonly<Schemas['UsageTotal']>;

/** Result of `usage.get`. */
export type Usage = Readonly<Schemas['Usage']>;

/** The account's usage statistics. */
export class UsageReports extends Resource {
  /** Returns the usage in a period. */
  async get(query: UsageQuery = {}, options?: CallOptions): Promise<Usage> {
    return this.transport.json({ method: 'GET', path: '/v1/usage', query: { ...query }, options });
  }
}

/** The month to bill. */
export type BillingQuery = Query<'readBilling'>;

/** The bill for one unit. */
export type BilledUnit = Readonly<Schemas['BilledUnit']>;

/** The bill for a month. */
export type Billing = Readonly<Schemas['Billing']>;

/** The account's billing; only live keys are billed. */
export class BillingReports extends Resource {
  /** Returns the bill for a month. */
  async get(query: BillingQuery = {}, options?: CallOptions): Promise<Billing> {
    return this.transport.json({ method: 'GET', path: '/v1/billing', query: { ...query }, options });
  }
}
