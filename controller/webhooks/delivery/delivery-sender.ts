import { newId, type DeliveryAttempt, type WebhookDelivery, type WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { OutboundClient, OutboundResult } from '@trifold/platform/outbound/outbound-client.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import type { AttemptOutcome } from './delivery-status.ts';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts';

export interface DeliverySenderOptions {
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly secrets: Pick<EndpointSecrets, 'current' | 'previous'>;
  readonly clock: Clock;
}

const LONGEST_MESSAGE = 1024;

/** Sends one attempt of a delivery. */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  /**
   * Sends the event to the endpoint, signed, or to the callback of the delivery. Rejects with EndpointSecretError, with
   * KubernetesApiError when the account could not be read, and with the signal's reason; then nothing counts as sent.
   */
  async attempt(
    delivery: WebhookDelivery,
    endpoint: WebhookEndpoint | undefined,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const { clock, outbound } = this.#options;
    const url = endpoint ? endpoint.spec.url : delivery.spec.url;
    if (url === undefined) throw new Error('a delivery has an endpoint or a URL');
    const secrets = endpoint && (await this.#secretsOf(endpoint));
    const { payload, type } = delivery.spec.event;
    const at = clock.now();
    const deliveryId = newId('dlv', at);
    const timestamp = Math.floor(at.getTime() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      ...(secrets && { 'X-Trifold-Signature': signatureOf(secrets.current, timestamp, payload) }),
      ...(secrets?.previous !== undefined && {
        'X-Trifold-Signature-Previous': signatureOf(secrets.previous, timestamp, payload),
      }),
      'X-Trifold-Timestamp': String(timestamp),
      'X-Trifold-Event': type,
      'X-Trifold-Delivery-ID': deliveryId,
    };
    const result = await outbound.post({ url, headers, body: payload }, signal);
    return outcomeOf(result, { deliveryId, at: at.toISOString() });
  }

  async #secretsOf(endpoint: WebhookEndpoint): Promise<{ current: string; previous?: string }> {
    const { secrets } = this.#options;
    const current = await secrets.current(endpoint);
    const previous = await secrets.previous(endpoint);
    return { current, ...(previous !== undefined && { previous }) };
  }
}

function outcomeOf(
  { status, error, answer, durationMs, retryAfterMs }: OutboundResult,
  sent: Pick<DeliveryAttempt, 'deliveryId' | 'at'>,
): AttemptOutcome {
  return {
    attempt: {
      ...sent,
      durationMs,
      ...(status !== undefined && { status }),
      ...(error && { error: { code: error.code, message: error.message.slice(0, LONGEST_MESSAGE) } }),
      ...(answer !== undefined && { answer }),
    },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
