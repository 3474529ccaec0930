import { newId, type WebhookDelivery, type WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { OutboundClient } from '@trifold/platform/outbound/outbound-client.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { WebhooksConfig } from '../config.ts';
import { AttemptScheduler } from './attempt-scheduler.ts';
import type { DeliveryMemories, DeliveryMemory } from './delivery-memories.ts';
import type { AttemptOutcome } from './delivery-status.ts';
import { originOf } from './destination.ts';
import type { EndpointHealth } from '../endpoints/endpoint-health.ts';
import { EndpointSecretError, type EndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface AttemptsOptions {
  readonly config: WebhooksConfig;
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly secrets: EndpointSecrets;
  readonly subscriptions: Subscriptions;
  readonly health: EndpointHealth;
  readonly memories: DeliveryMemories;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  /** Asks for a reconcile of the delivery. */
  readonly enqueue: (key: ObjectKey) => void;
  /** Asks for a reconcile of the endpoint. */
  readonly enqueueEndpoint: (key: ObjectKey) => void;
}

/** Delay before another try when the secret cannot be read or the API server is unavailable. */
const NOT_SENT_RETRY_MS = 1_000;
const LONGEST_MESSAGE = 1024;

/** Runs attempts when their turn comes, and leaves the outcome in the delivery's memory for a reconcile to write. */
export class Attempts {
  readonly scheduler: AttemptScheduler;
  readonly #options: AttemptsOptions;
  readonly #stopping = new AbortController();

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.scheduler = new AttemptScheduler(options.config);
  }

  /** Queues one attempt. Does nothing if an attempt of the delivery waits or runs. */
  begin(delivery: WebhookDelivery, memory: DeliveryMemory, endpoint: WebhookEndpoint | undefined): void {
    const { uid, namespace: account = 'default' } = delivery.metadata;
    const { sequence, subject } = delivery.spec;
    const queue = queueName(delivery, endpoint);
    this.scheduler.add({
      key: uid,
      queue,
      account,
      // A test runs even if its endpoint fails: it is meant to find that out.
      isFailing: queue === endpoint?.metadata.uid && this.#options.health.isFailing(endpoint),
      ...(sequence !== undefined && subject && { group: subject.uid }),
      run: () => this.#run(delivery, memory),
    });
  }

  /** Removes an attempt that has not begun. */
  callOff(uid: string): void {
    this.scheduler.remove(uid);
  }

  /** Aborts the in-flight requests. They count as not sent: they are sent again after the next start. */
  abort(): void {
    this.#stopping.abort(new Error('the controller was stopped'));
  }

  async #run(delivery: WebhookDelivery, memory: DeliveryMemory): Promise<void> {
    const { clock, logger, enqueue } = this.#options;
    const { namespace = 'default', name } = delivery.metadata;
    memory.sending = true;
    try {
      await this.#attempt(delivery, memory);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      memory.notBefore = clock.monotonicMs() + NOT_SENT_RETRY_MS;
      const about = { namespace, name, err: error };
      if (error instanceof EndpointSecretError) logger.debug(about, 'delivery waits for its secret');
      else logger.warn(about, 'delivery attempt failed before it was sent');
    } finally {
      memory.sending = false;
      enqueue({ namespace, name });
    }
  }

  async #attempt(delivery: WebhookDelivery, memory: DeliveryMemory): Promise<void> {
    const { subscriptions, health, memories, metrics, enqueueEndpoint } = this.#options;
    // The attempt may have waited for a long time.
    const endpoint = await subscriptions.endpointOf(delivery, this.#stopping.signal);
    if (endpoint === 'deleted') return;
    const outcome = await this.#send(delivery, endpoint);
    const { attempt } = outcome;
    memories.ended(memory, outcome);
    metrics.attempted(attempt);
    this.scheduler.note(queueName(delivery, endpoint), !attempt.error);
    if (!endpoint) return;
    const { uid, namespace = 'default', name } = endpoint.metadata;
    health.note(endpoint, attempt);
    this.scheduler.note(uid, !attempt.error);
    enqueueEndpoint({ namespace, name });
  }

  /**
   * Sends the event to the endpoint, signed, or to the callback of the delivery. Rejects with EndpointSecretError, with
   * KubernetesApiError when the account could not be read, and with the reason of the stop; then nothing counts as sent.
   */
  async #send(delivery: WebhookDelivery, endpoint: WebhookEndpoint | undefined): Promise<AttemptOutcome> {
    const { clock, outbound, secrets } = this.#options;
    const url = endpoint ? endpoint.spec.url : delivery.spec.url;
    if (url === undefined) throw new Error('a delivery has an endpoint or a URL');
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
    const result = await outbound.post({ url, headers, body: payload }, this.#stopping.signal);
    const { error, retryAfterMs, durationMs, status, answer } = result;
    return {
      attempt: {
        deliveryId,
        at: now.toISOString(),
        durationMs,
        ...(status !== undefined && { status }),
        ...(error && { error: { code: error.code, message: error.message.slice(0, LONGEST_MESSAGE) } }),
        ...(answer !== undefined && { answer }),
      },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

/**
 * Returns the name of the queue. Each endpoint has a queue, and so has each host that callbacks of an account go to. A
 * test has its own queue, because its sender waits for it and the endpoint may hang.
 */
function queueName({ metadata, spec }: WebhookDelivery, endpoint: WebhookEndpoint | undefined): string {
  if (!endpoint) return `${metadata.namespace ?? 'default'} ${originOf(spec.url ?? '')}`;
  return spec.once === true ? `${endpoint.metadata.uid} once` : endpoint.metadata.uid;
}
