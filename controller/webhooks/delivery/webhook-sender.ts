import { newId, type WebhookDelivery, type WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import type { Outbound } from '../../context.ts';
import type { EndpointHealth } from '../endpoints/endpoint-health.ts';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';
import type { WebhookRequests } from '../webhook-requests.ts';
import type { AttemptOutcome } from './delivery-status.ts';

export interface WebhookSenderDependencies {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secrets: EndpointSecrets;
  readonly subscriptions: Subscriptions;
  readonly health: EndpointHealth;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics;
  readonly requests: Pick<WebhookRequests, 'endpoints'>;
}

const MAX_MESSAGE_LENGTH = 1024;

/**
 * Makes one attempt: sends the event, signed, to the endpoint or to the delivery's callback, and records the endpoint's
 * health. Returns undefined if the endpoint is deleted. Rejects with EndpointSecretError, with KubernetesApiError when
 * the account could not be read, or with the signal's reason; then nothing counts as sent.
 */
export async function sendWebhook(
  dependencies: WebhookSenderDependencies,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome | undefined> {
  const { subscriptions, health, metrics, requests } = dependencies;
  // The attempt may have waited for a long time.
  const endpoint = await subscriptions.endpointOf(delivery, signal);
  if (endpoint === 'deleted') return undefined;
  const outcome = await post(dependencies, delivery, endpoint, signal);
  metrics.attempted(outcome.attempt);
  if (endpoint) {
    const { namespace = 'default', name } = endpoint.metadata;
    health.note(endpoint, outcome.attempt);
    requests.endpoints.enqueue({ namespace, name });
  }
  return outcome;
}

async function post(
  { clock, outbound, secrets }: WebhookSenderDependencies,
  delivery: WebhookDelivery,
  endpoint: WebhookEndpoint | undefined,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const url = endpoint ? endpoint.spec.url : delivery.spec.url;
  if (url === undefined) throw new Error('a delivery must have an endpoint or a URL');
  const secret = endpoint && (await secrets.current(endpoint));
  const previous = endpoint && (await secrets.previous(endpoint));
  const { payload, type } = delivery.spec.event;
  const now = clock.now();
  const deliveryId = newId('dlv', now);
  const timestamp = Math.floor(now.getTime() / 1000);
  const signed = (header: string, key: string | undefined) =>
    key !== undefined && { [header]: signatureOf(key, timestamp, payload) };
  const headers = {
    'Content-Type': 'application/json',
    ...signed('X-Trifold-Signature', secret),
    ...signed('X-Trifold-Signature-Previous', previous),
    'X-Trifold-Timestamp': String(timestamp),
    'X-Trifold-Event': type,
    'X-Trifold-Delivery-ID': deliveryId,
  };
  // Fails after WEBHOOK_TIMEOUT_MS (platform/bounds/webhook-timeout.ts).
  const result = await outbound.post({ url, headers, body: payload }, signal);
  const { error, retryAfterMs, durationMs, status, answer } = result;
  return {
    attempt: {
      deliveryId,
      at: now.toISOString(),
      durationMs,
      ...(status !== undefined && { status }),
      ...(error && { error: { code: error.code, message: error.message.slice(0, MAX_MESSAGE_LENGTH) } }),
      ...(answer !== undefined && { answer }),
    },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
