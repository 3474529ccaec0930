import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isResourceName,
  isRetryAsked,
  RETRY_ANNOTATION,
  WEBHOOK_DELIVERY,
  type WebhookDelivery,
  MAX_RETRIES,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import {
  DELIVERY_ERROR_CODES,
  type DeliveryErrorDescription,
} from '@trifold/platform/errors/delivery-error-codes.ts';
import type { RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';
import { pageFrom } from '../../server/pagination/page.ts';
import {
  type DeliveryPage,
  type DeliveryQuery,
  type RetriedDeliveries,
  type RetryBody,
} from './delivery-body.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { deliveryEntryOf, stateOf } from './delivery-view.ts';

export interface DeliveriesOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly log: DeliveryLog;
}

/** Maximum number of attempts to request a retry if the delivery changes in the meantime. */
const MAX_ROUNDS = 5;

/** Concurrent patches of one bulk retry. */
const RETRIES_AT_ONCE = 8;

/** Codes for a delivery that was deleted, delivered or retried in the meantime. */
const OVERTAKEN: readonly RequestErrorCode[] = ['delivery_not_found', 'not_failed'];

/**
 * Webhook deliveries. Every method rejects with ApiError for caller errors and with KubernetesApiError otherwise.
 */
export class Deliveries {
  readonly #resources: ResourceClient<WebhookDelivery>;
  readonly #options: DeliveriesOptions;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#resources = options.kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
  }

  /** Returns one page of the log, newest first. Throws ApiError `invalid_cursor`. */
  async list(account: string, query: DeliveryQuery): Promise<DeliveryPage> {
    const { event = '', subject = '', status = '', state = status, endpoint = '', ...page } = query;
    const list = `deliveries/${account}/${event}/${subject}/${status}/${state}/${endpoint}`;
    const { data, pagination } = await pageFrom({ list, ...page }, async () => {
      const all = await this.#options.log.list(account);
      return all.filter(
        ({ entry }) =>
          isOf(entry, { event, endpoint }) &&
          (subject === '' || entry.spec.subject?.name === subject) &&
          (status === '' || stateOf(entry) === status) &&
          (state === '' || stateOf(entry) === state),
      );
    });
    return { data: data.map(deliveryEntryOf), pagination };
  }

  /** Returns one delivery, read from the server. Rejects with ApiError `delivery_not_found`. */
  async get(account: string, id: string): Promise<WebhookDelivery> {
    const found = isResourceName(id) ? await this.#resources.find(account, id) : undefined;
    if (found && found.metadata.deletionTimestamp === undefined) return found;
    const message = `There is no delivery ${JSON.stringify(id)} in this account, or the log no longer contains it. List the deliveries with GET /v1/webhooks/deliveries.`;
    throw new ApiError('delivery_not_found', message);
  }

  /**
   * Requests one more attempt of a failed delivery, or brings the next attempt of a waiting one forward. Rejects with
   * ApiError `not_failed`.
   */
  async retry(account: string, id: string): Promise<WebhookDelivery> {
    const now = this.#options.clock.now();
    return this.#retry(account, await this.get(account, id), (delivery) =>
      isWaiting(delivery, now) ? undefined : obstacleOfFailed(delivery),
    );
  }

  /**
   * Requests one more attempt of every failed delivery in the log that matches, at most MAX_RETRIES, newest first.
   * After an error, some retries may already have been requested; a repeated call skips those deliveries. Rejects with
   * ApiError `invalid_cursor`.
   */
  async retryAll(account: string, { cursor, ...filter }: RetryBody): Promise<RetriedDeliveries> {
    const { event = '', endpoint = '', since } = filter;
    const sinceMs = since === undefined ? -Infinity : Date.parse(since);
    const list = `retries/${account}/${event}/${sinceMs}/${endpoint}`;
    const page = { list, limit: MAX_RETRIES, ...(cursor !== undefined && { cursor }) };
    const { data, pagination } = await pageFrom(page, async () => {
      const all = await this.#options.log.list(account);
      return all.filter(
        ({ entry, position }) =>
          position.createdAt >= sinceMs &&
          isOf(entry, { event, endpoint }) &&
          obstacleOfFailed(entry) === undefined,
      );
    });
    let retried = 0;
    await inParallel(data, RETRIES_AT_ONCE, async (delivery) => {
      // An API server in this process responds without yielding to the event loop, which other requests need.
      await nextTurn();
      if (await this.#retryUnlessOvertaken(account, delivery)) retried += 1;
    });
    const { has_more, next_cursor } = pagination;
    return { retried, has_more, next_cursor };
  }

  /** Returns false if the delivery was deleted or has not failed. */
  async #retryUnlessOvertaken(account: string, delivery: WebhookDelivery): Promise<boolean> {
    try {
      await this.#retry(account, delivery, obstacleOfFailed);
      return true;
    } catch (error) {
      if (error instanceof ApiError && OVERTAKEN.includes(error.code)) return false;
      throw error;
    }
  }

  /**
   * `known` may be reduced or stale: its resourceVersion shows whether it is current. `obstacleOf` returns why a
   * delivery cannot be retried.
   */
  async #retry(
    account: string,
    known: WebhookDelivery,
    obstacleOf: (delivery: WebhookDelivery) => string | undefined,
  ): Promise<WebhookDelivery> {
    let delivery = known;
    for (let round = 1; ; round++) {
      const obstacle = obstacleOf(delivery);
      if (obstacle !== undefined) throw new ApiError('not_failed', obstacle);
      try {
        const asked = await this.#ask(delivery);
        this.#options.log.wrote(asked);
        return asked;
      } catch (error) {
        const isOvertaken = isApiError(error, 'Conflict') || isApiError(error, 'NotFound');
        if (!isOvertaken || round === MAX_ROUNDS) throw error;
      }
      delivery = await this.get(account, delivery.metadata.name);
    }
  }

  /** The resourceVersion makes the server reject the patch if the delivery has changed since the check. */
  async #ask({ metadata }: WebhookDelivery): Promise<WebhookDelivery> {
    const { namespace = '', name, resourceVersion } = metadata;
    const value = `${this.#options.clock.now().toISOString()} ${randomUUID()}`;
    const annotations = { [RETRY_ANNOTATION]: value };
    return this.#resources.patch({ namespace, name }, { metadata: { resourceVersion, annotations } });
  }
}

/** An empty filter matches every delivery. */
function isOf({ spec }: WebhookDelivery, { event, endpoint }: { event: string; endpoint: string }): boolean {
  return (
    (event === '' || spec.event.type === event) && (endpoint === '' || spec.endpointRef?.name === endpoint)
  );
}

/** Returns, as a sentence, why a delivery that is not waiting cannot be retried; undefined if it can. */
function obstacleOfFailed(delivery: WebhookDelivery): string | undefined {
  const state = stateOf(delivery);
  if (state !== 'failed')
    return `Only a delivery that failed or is waiting for its next attempt can be retried; this delivery is ${state === 'pending' ? 'being attempted' : state}.`;
  const codes: Readonly<Record<string, DeliveryErrorDescription>> = DELIVERY_ERROR_CODES;
  const known = codes[delivery.status?.lastError?.code ?? ''];
  return known?.isFinal ? `The delivery cannot be retried. ${known.cause}` : undefined;
}

/**
 * Whether an attempt failed and the next one is scheduled for later, without a request to retry sooner. An attempt that
 * is due may be in flight.
 */
function isWaiting(delivery: WebhookDelivery, now: Date): boolean {
  const { phase, nextAttemptAt = '' } = delivery.status ?? {};
  return phase === 'Pending' && Date.parse(nextAttemptAt) > now.getTime() && !isRetryAsked(delivery);
}
