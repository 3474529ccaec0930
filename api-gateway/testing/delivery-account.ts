import { expect } from 'vitest';
import {
  deliveryOf,
  isRetryAsked,
  newId,
  WEBHOOK_DELIVERY,
  type WebhookDeliveryStatus,
  type WebhookEvent,
} from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import type { GatewayFixture } from './gateway-fixture.ts';

/** Path of the log. */
export const DELIVERIES = '/v1/webhooks/deliveries';
/** Time of an account's first delivery, in milliseconds since 1970. */
export const FIRST_DELIVERY_AT = Date.UTC(2026, 10, 20, 12);
const STATUS_URL = '/v1/generate/gen-1';

/** A page of the log. */
export interface DeliveryPage {
  readonly data: { readonly id: string; readonly status: string }[];
  readonly pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

/** Error in FAILED. */
export const ERROR = { code: 'http_error', message: 'the endpoint returned 500' };
const LATER = '2026-11-20T12:01:00.000Z';
/** Status of an abandoned delivery. */
export const FAILED: WebhookDeliveryStatus = {
  phase: 'Failed',
  attemptCount: 7,
  attempts: [
    { deliveryId: 'dlv-1', at: '2026-11-20T12:00:00.000Z', durationMs: 30_000 },
    { deliveryId: 'dlv-2', at: LATER, durationMs: 12, status: 500, error: ERROR, answer: 'no' },
  ],
  lastStatus: 500,
  lastError: ERROR,
  finishedAt: '2026-11-21T22:30:00.000Z',
};

/** A gateway account with its own deliveries. */
export class DeliveryAccount {
  readonly name: string;
  readonly key: string;
  readonly #of: GatewayFixture;
  #count = 0;

  private constructor(name: string, key: string, of: GatewayFixture) {
    this.name = name;
    this.key = key;
    this.#of = of;
  }

  static async make(of: GatewayFixture, name: string): Promise<DeliveryAccount> {
    await ensureAccount(of.kubernetes, name);
    return new DeliveryAccount(name, await of.mint({ account: name }, true), of);
  }

  get resources() {
    return this.#of.kubernetes.resource(WEBHOOK_DELIVERY);
  }

  /** Creates a delivery one second after the previous one; returns its ID. */
  async deliver(
    options: {
      type?: 'batch.completed' | 'batch.failed';
      endpoint?: string;
      url?: string;
      subject?: string;
      status?: WebhookDeliveryStatus;
    } = {},
  ): Promise<string> {
    const { type = 'batch.completed', endpoint = 'account', url, subject: name, status } = options;
    const createdAt = new Date(FIRST_DELIVERY_AT + this.#count++ * 1000);
    const event: WebhookEvent = {
      id: newId('evt', createdAt),
      type,
      createdAt,
      data: {
        id: 'bat-1',
        status: 'completed',
        template_id: 'tpl-1',
        total: 1,
        completed: 1,
        failed: 0,
        status_url: STATUS_URL,
      },
    };
    const to = url === undefined ? { endpointRef: { name: endpoint, uid: `uid-${endpoint}` } } : { url };
    const subject = name === undefined ? {} : { subject: { kind: 'Batch', name, uid: `uid-${name}` } };
    const { metadata } = await this.resources.create(deliveryOf(this.name, event, to, subject));
    if (status) await this.tell(metadata.name, status);
    return metadata.name;
  }

  async tell(name: string, status: WebhookDeliveryStatus): Promise<void> {
    await this.resources.patchStatus({ namespace: this.name, name }, { status });
  }

  async list(query = ''): Promise<DeliveryPage> {
    const answer = await this.#of.call('GET', `${DELIVERIES}${query}`, { key: this.key });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<DeliveryPage>();
  }

  async retry(id: string) {
    return this.#of.call('POST', `${DELIVERIES}/${id}/retry`, { key: this.key });
  }

  /** Retries the failed deliveries that match. */
  async retryAll(body?: unknown) {
    return this.#of.call('POST', `${DELIVERIES}/retry`, { key: this.key, body });
  }

  /** Returns the IDs of the deliveries with a requested retry, in order. */
  async asked(): Promise<string[]> {
    const { items } = await this.resources.list({ namespace: this.name });
    return items.filter(isRetryAsked).map(({ metadata }) => metadata.name);
  }
}
