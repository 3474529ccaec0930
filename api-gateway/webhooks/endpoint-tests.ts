import {
  deliveryOf,
  isSettled,
  newId,
  TEST_EVENT,
  WEBHOOK_DELIVERY,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { abortable } from '@trifold/platform/async/abortable.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import { Slots } from '../server/quota/slots.ts';
import type { TestResult } from './endpoint-body.ts';

/** An endpoint has 30 s to respond; the rest covers the round trip to the controller. */
const MAX_WAIT_MS = 35_000;

/** Per account and gateway: each test needs a resource and a watch. */
const MAX_TESTS = BOUNDS.webhookTests.limit.value;
/** Slightly longer than a working endpoint takes to respond. */
const RETRY_AFTER_S = 5;

/**
 * Sends `webhook.test` to an endpoint and waits for the result. The controller, which knows the secret, sends it in one
 * attempt; the delivery is in the log like any other.
 */
export class EndpointTests {
  readonly #kubernetes: KubernetesClient;
  readonly #deliveries: ResourceClient<WebhookDelivery>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  /** By account. */
  readonly #slots: Slots;

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    this.#kubernetes = kubernetes;
    this.#deliveries = kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
    this.#clock = clock;
    this.#logger = logger;
    this.#slots = new Slots({ most: MAX_TESTS, clock, wait: { ms: 0, error: tooManyTests } });
  }

  /**
   * Runs one test. Rejects with ApiError `too_many_tests`, ApiError `unavailable` when no result arrives in time,
   * KubernetesApiError, or the signal's reason. After an abort the event is still sent and the test counts until it
   * ends.
   */
  async run(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<TestResult> {
    const free = await this.#slots.take(endpoint.metadata.namespace ?? '', signal);
    return abortable(this.#test(endpoint).finally(free), signal);
  }

  /** Ends every wait, including the waits of disconnected callers; later tests fail immediately. */
  cancelAll(): void {
    this.#stopping.abort(unheard());
  }

  async #test(endpoint: WebhookEndpoint): Promise<TestResult> {
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
    return resultOf(await this.#settled(created));
  }

  async #settled({ metadata: { namespace = '', name } }: WebhookDelivery): Promise<WebhookDelivery> {
    const { promise, resolve } = Promise.withResolvers<WebhookDelivery>();
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
    watched.start();
    try {
      const onTimeout = () => {
        throw unheard(name);
      };
      return await this.#clock.withTimeout(() => promise, MAX_WAIT_MS, {
        signal: this.#stopping.signal,
        onTimeout,
      });
    } finally {
      void watched.stop();
    }
  }
}

function tooManyTests(): ApiError {
  const message = `The account already has ${MAX_TESTS} tests in progress. Wait until one finishes.`;
  return new ApiError('too_many_tests', message, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}

function unheard(name?: string) {
  const where = name === undefined ? '/v1/webhooks/deliveries' : `/v1/webhooks/deliveries/${name}`;
  return unavailable(`The outcome of the test event is not known yet. Read it with GET ${where}.`);
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
