import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { AttemptLanes } from './attempt-lanes.ts';
import type { DeliveryMemories, DeliveryMemory } from './delivery-memories.ts';
import { SecretMissingError, type DeliverySender } from './delivery-sender.ts';
import type { EndpointHealth } from '../endpoints/endpoint-health.ts';
import type { EndpointLookup } from '../endpoints/endpoint-lookup.ts';
import type { Callback } from './lane.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface AttemptsOptions {
  readonly lanes: AttemptLanes;
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

/** A secret that is missing, or an API server that is away, is asked again so soon. */
const NOT_SENT_RETRY_MS = 1_000;

/** Makes attempts in their lanes. How one went is in the delivery's memory afterwards, for a reconcile to write down. */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #stopping = new AbortController();
  /** Lanes of the deliveries that wait or run, by uid. */
  readonly #laneOf = new Map<string, string>();

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Makes one attempt when the turn of its lane comes; nothing is done for one that waits already. */
  begin(delivery: WebhookDelivery, memory: DeliveryMemory, endpoint: WebhookEndpoint | undefined): void {
    const { lanes, health } = this.#options;
    const { uid, namespace: account = 'default' } = delivery.metadata;
    const { place, subject } = delivery.spec;
    const lane = laneOf(delivery, endpoint);
    this.#laneOf.set(uid, lane);
    lanes.add({
      key: uid,
      lane,
      account,
      // A test of an endpoint is to find out.
      isFailing: lane === endpoint?.metadata.uid && health.isFailing(endpoint),
      isSlow: lane === endpoint?.metadata.uid && health.isSlow(endpoint),
      ...(!endpoint && { callback: callbackOf(delivery) }),
      ...(place !== undefined && subject && { group: subject.uid }),
      run: () => this.#run(delivery, memory),
    });
  }

  /** Takes back an attempt that has not begun. */
  callOff(uid: string): void {
    const lane = this.#laneOf.get(uid);
    if (lane !== undefined && this.#options.lanes.remove(lane, uid)) this.#laneOf.delete(uid);
  }

  /** Breaks off what is being sent, which counts as not sent: it is sent again after the next start. */
  abort(): void {
    this.#stopping.abort(new Error('the controller was stopped'));
  }

  async #run(delivery: WebhookDelivery, memory: DeliveryMemory): Promise<void> {
    const { clock, logger, enqueue } = this.#options;
    const { namespace = 'default', name, uid } = delivery.metadata;
    memory.sending = true;
    try {
      await this.#attempt(delivery, memory);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      memory.notBefore = clock.now().getTime() + NOT_SENT_RETRY_MS;
      const about = { namespace, name, err: error };
      if (error instanceof SecretMissingError) logger.debug(about, 'a delivery waits for a secret');
      else logger.warn(about, 'a delivery could not be attempted');
    } finally {
      this.#laneOf.delete(uid);
      memory.sending = false;
      enqueue({ namespace, name });
    }
  }

  async #attempt(delivery: WebhookDelivery, memory: DeliveryMemory): Promise<void> {
    const { endpoints, sender, lanes, memories, metrics } = this.#options;
    const { signal } = this.#stopping;
    // It may have waited for long.
    const endpoint = await endpoints.endpointOf(delivery, signal);
    if (endpoint === 'deleted') return;
    const outcome = await sender.attempt(delivery, endpoint, signal);
    memories.ended(memory, outcome);
    metrics.attempted(outcome.attempt);
    const lane = laneOf(delivery, endpoint);
    const succeeded = !outcome.attempt.error;
    if (!endpoint) return lanes.noteCallback(lane, callbackOf(delivery), succeeded);
    if (succeeded) lanes.setFailing(lane, false);
    this.#noteHealth(endpoint, outcome.attempt);
  }

  #noteHealth(endpoint: WebhookEndpoint, attempt: DeliveryAttempt): void {
    const { lanes, health, enqueueEndpoint } = this.#options;
    const { uid, namespace = 'default', name } = endpoint.metadata;
    health.note(endpoint, attempt);
    lanes.setFailing(uid, attempt.error !== undefined);
    enqueueEndpoint({ namespace, name });
  }
}

/** Somebody waits for a test of an endpoint: it goes past what hangs there, which it may be sent to find out about. */
function laneOf({ metadata, spec }: WebhookDelivery, endpoint: WebhookEndpoint | undefined): string {
  if (!endpoint) return `${metadata.namespace ?? 'default'} callbacks`;
  return spec.once === true ? `${endpoint.metadata.uid} once` : endpoint.metadata.uid;
}

/** The query is left out: it often tells one document from another. */
function callbackOf({ spec: { url = '' }, status }: WebhookDelivery): Callback {
  const isRepeat = (status?.attemptCount ?? 0) > 0;
  if (!URL.canParse(url)) return { origin: url, path: '', isRepeat };
  const { origin, pathname: path } = new URL(url);
  return { origin, path, isRepeat };
}
