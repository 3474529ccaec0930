import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { Query, Schemas } from './schemas.ts';

/** Which month. */
export type BillingQuery = Query<'readBilling'>;

/** What is billed of one kind. */
export type BilledUnit = Readonly<Schemas['BilledUnit']>;

/** What is billed for a month. */
export type Billing = Readonly<Schemas['Billing']>;

/** Billing of the account: live keys alone. */
export class BillingReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What a month comes to. */
  async get(query: BillingQuery = {}, options?: CallOptions): Promise<Billing> {
    return this.#transport.json({ method: 'GET', path: '/v1/billing', query: { ...query }, options });
  }
}
