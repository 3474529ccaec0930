import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { DocumentFormat } from './generation-options.ts';

/** Which month. */
export interface BillingQuery {
  /** The month, in UTC: `2026-11`. @default the present one */
  readonly period?: string | undefined;
}

/** What is billed of one kind. */
export interface BilledUnit {
  /** A document of that format, or an email. */
  readonly unit: DocumentFormat | 'email';
  /** How many, of live keys. */
  readonly quantity: number;
  /** A decimal number; null where the deployment has no price for it. */
  readonly unit_price: string | null;
  /** Quantity times price, exactly; null without a price. */
  readonly amount: string | null;
}

/** What is billed for a month. */
export interface Billing {
  readonly period: string;
  /** First and last day, in UTC. */
  readonly from: string;
  readonly to: string;
  /** ISO 4217; null where nothing has a price. */
  readonly currency: string | null;
  /** One entry a kind, always all of them. */
  readonly units: readonly BilledUnit[];
  /** The sum, exactly, a decimal number; null where nothing has a price. */
  readonly total: string | null;
}

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
