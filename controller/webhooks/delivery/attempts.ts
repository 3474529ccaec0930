import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { AttemptScheduler } from './attempt-scheduler.ts';
import type { DeliveryMemories, DeliveryMemory } from './delivery-memories.ts';
import type { DeliverySender } from './delivery-sender.ts';
import type { EndpointHealth } from '../endpoints/endpoint-health.ts';
import { EndpointSecretError } from '../endpoints/endpoint-secrets.ts';
import type { EndpointLookup } from '../endpoints/endpoint-lookup.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface AttemptsOptions {
  readonly scheduler: AttemptScheduler;
  readonly sender: Pick<DeliverySender, 'attempt'>;
  readonly endpoints: Pick<EndpointLookup, 'endpointOf'>;
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

/** Runs attempts when their turn comes, and leaves the outcome in the delivery's memory for a reconcile to write. */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #stopping = new AbortController();

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Queues one attempt. Does nothing if an attempt of the delivery waits or runs. */
  begin(delivery: WebhookDelivery, memory: DeliveryMemory, endpoint: WebhookEndpoint | undefined): void {
    const { scheduler, health } = this.#options;
    const { uid, namespace: account = 'default' } = delivery.metadata;
    const { place, subject } = delivery.spec;
    const queue = queueName(delivery, endpoint);
    scheduler.add({
      key: uid,
      queue,
      account,
      // A test runs even if its endpoint fails: it is meant to find that out.
      isFailing: queue === endpoint?.metadata.uid && health.isFailing(endpoint),
      ...(place !== undefined && subject && { group: subject.uid }),
      run: () => this.#run(delivery, memory),
    });
  }

  /** Removes an attempt that has not begun. */
  callOff(uid: string): void {
    this.#options.scheduler.remove(uid);
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
    const { endpoints, sender, scheduler, memories, metrics } = this.#options;
    const { signal } = this.#stopping;
    // The attempt may have waited for a long time.
    const endpoint = await endpoints.endpointOf(delivery, signal);
    if (endpoint === 'deleted') return;
    const outcome = await sender.attempt(delivery, endpoint, signal);
    memories.ended(memory, outcome);
    metrics.attempted(outcome.attempt);
    scheduler.note(queueName(delivery, endpoint), !outcome.attempt.error);
    if (endpoint) this.#noteHealth(endpoint, outcome.attempt);
  }

  #noteHealth(endpoint: WebhookEndpoint, attempt: DeliveryAttempt): void {
    const { scheduler, health, enqueueEndpoint } = this.#options;
    const { uid, namespace = 'default', name } = endpoint.metadata;
    health.note(endpoint, attempt);
    scheduler.note(uid, attempt.error === undefined);
    enqueueEndpoint({ namespace, name });
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

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
