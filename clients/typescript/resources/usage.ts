import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { Query, Schemas } from './schemas.ts';

/** The period, and its granularity. */
export type UsageQuery = Query<'readUsage'>;

/** Usage of a day, a month or the whole period. */
export type UsageCounts = Readonly<Schemas['UsageTotal']>;

/** Result of `usage.get`. */
export type Usage = Readonly<Schemas['Usage']>;

/** Usage statistics of the account. */
export class UsageReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the usage of a period. */
  async get(query: UsageQuery = {}, options?: CallOptions): Promise<Usage> {
    return this.#transport.json({ method: 'GET', path: '/v1/usage', query: { ...query }, options });
  }
}
