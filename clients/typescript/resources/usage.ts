import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { DocumentFormat } from './generation-options.ts';

/** Which days, and how they are put together. */
export interface UsageQuery {
  /** First day, in UTC: `2026-11-01`. @default the first of the last day's month */
  readonly from?: string | undefined;
  /** Last day, which counts as well. @default today */
  readonly to?: string | undefined;
  /** What an entry is of. @default 'day' */
  readonly granularity?: 'day' | 'month' | undefined;
}

/** What was done in a day, a month or all the time that was asked for. */
export interface UsageCounts {
  /** Completed documents, by the type of key and by format. */
  readonly documents: Readonly<Record<'live' | 'test', Readonly<Record<DocumentFormat, number>>>>;
  /** Documents that failed. */
  readonly failed: number;
  /** Pages and bytes of the documents that were made. */
  readonly pages: number;
  readonly bytes: number;
  readonly batches: number;
  /** Compiled emails, which are counted apart. */
  readonly emails: number;
}

/** Answer of `usage.get`. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  /** One entry a day, `2026-11-21`, or month, `2026-11`. */
  readonly data: readonly (UsageCounts & { readonly date: string })[];
  readonly total: UsageCounts;
}

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
