import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { Query, Schemas } from './schemas.ts';

/** The month to bill. */
export type BillingQuery = Query<'readBilling'>;

/** The bill for one unit. */
export type BilledUnit = Readonly<Schemas['BilledUnit']>;

/** The bill for a month. */
export type Billing = Readonly<Schemas['Billing']>;

/** Billing of the account; only live keys are billed. */
export class BillingReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the bill for a month. */
  async get(query: BillingQuery = {}, options?: CallOptions): Promise<Billing> {
    return this.#transport.json({ method: 'GET', path: '/v1/billing', query: { ...query }, options });
  }
}
