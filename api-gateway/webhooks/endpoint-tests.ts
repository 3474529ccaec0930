import {
  deliveryOf,
  isSettled,
  newId,
  TEST_EVENT,
  WEBHOOK_DELIVERY,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client.ts';
import { Informer } from '@trifold/platform/kubernetes/informer.ts';
import type { Logger } from '@trifold/platform/logging.ts';
import { unavailable } from '../errors/api-error.ts';
import type { TestResult } from './endpoint-body.ts';

/** An endpoint has 30 s to answer; what is more is for the way to whoever sends and back. */
const MOST_WAIT_MS = 35_000;

/**
 * Sends `webhook.test` to an endpoint and waits for its answer. The controller sends it, who knows the secret, in one
 * attempt: the delivery is in the log like any other.
 */
export class EndpointTests {
  readonly #kubernetes: KubernetesClient;
  readonly #deliveries: ResourceClient<WebhookDelivery>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waits = new Set<AbortController>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    this.#kubernetes = kubernetes;
    this.#deliveries = kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Rejects with ApiError `unavailable` when nothing was heard in time, with KubernetesApiError, and with the signal's
   * reason; the event is sent all the same.
   */
  async run(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<TestResult> {
    const { namespace = '', name, uid } = endpoint.metadata;
    const at = this.#clock.now();
    const event = {
      id: newId('evt', at),
      type: TEST_EVENT,
      createdAt: at,
      data: { endpoint: name },
    } as const;
    const draft = deliveryOf(namespace, event, { endpointRef: { name, uid } }, { once: true });
    const created = await this.#deliveries.create(draft);
    return resultOf(await this.#settled(created, signal));
  }

  /** Ends every wait. */
  cancelAll(): void {
    for (const wait of this.#waits) wait.abort(unheard());
  }

  async #settled({ metadata: { namespace = '', name } }: WebhookDelivery, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookDelivery>();
    const wait = new AbortController();
    wait.signal.addEventListener('abort', () => reject(wait.signal.reason), { once: true });
    const leave = () => wait.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    this.#waits.add(wait);
    const cancel = this.#clock.schedule(MOST_WAIT_MS, () => wait.abort(unheard(name)));
    const watched = new Informer<WebhookDelivery>({
      client: this.#kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY),
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      clock: this.#clock,
      logger: this.#logger,
    });
    watched.onChange(() => {
      const delivery = watched.get(namespace, name);
      if (delivery && isSettled(delivery)) resolve(delivery);
    });
    if (signal.aborted) leave();
    watched.start();
    try {
      return await promise;
    } finally {
      cancel();
      signal.removeEventListener('abort', leave);
      this.#waits.delete(wait);
      void watched.stop();
    }
  }
}

function unheard(name?: string) {
  const where = name === undefined ? '/v1/webhooks/deliveries' : `/v1/webhooks/deliveries/${name}`;
  return unavailable(`It is not known yet what came of the test event; GET ${where} tells it.`);
}

function resultOf({ status = {} }: WebhookDelivery): TestResult {
  const attempt = status.attempts?.at(-1);
  const error = attempt ? attempt.error : status.lastError;
  return {
    delivered: status.phase === 'Delivered',
    status: attempt?.status ?? null,
    duration_ms: attempt?.durationMs ?? 0,
    error: error ? { code: error.code, message: error.message } : null,
  };
}
