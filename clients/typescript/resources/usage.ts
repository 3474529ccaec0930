import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { Query, Schemas } from './schemas.ts';

/** Which days, and how they are put together. */
export type UsageQuery = Query<'readUsage'>;

/** What was done in a day, a month or all the time that was asked for. */
export type UsageCounts = Readonly<Schemas['UsageTotal']>;

/** Answer of `usage.get`. */
export type Usage = Readonly<Schemas['Usage']>;

/** Usage statistics of the account. */
export class UsageReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What was done in a period. */
  async get(query: UsageQuery = {}, options?: CallOptions): Promise<Usage> {
    return this.#transport.json({ method: 'GET', path: '/v1/usage', query: { ...query }, options });
  }
}
