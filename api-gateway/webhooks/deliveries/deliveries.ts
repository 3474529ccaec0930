import { randomUUID } from 'node:crypto';
import { RETRY_ANNOTATION, WEBHOOK_DELIVERY, type WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { isResourceName } from '../../work/admission/resource-name.ts';
import type { SharedCursorSealer } from '../../server/pagination/cursor-key.ts';
import { pageFrom } from '../../server/pagination/page.ts';
import type { DeliveryPage, DeliveryQuery } from './delivery-body.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { deliveryEntryOf, stateOf } from './delivery-view.ts';

export interface DeliveriesOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly log: DeliveryLog;
  readonly cursors: SharedCursorSealer;
}

/** Maximum attempts to request a retry when the delivery changes in the meantime. */
const MOST_ROUNDS = 5;

/** Why a retry cannot succeed, by the code of the delivery's error. */
const POINTLESS: Readonly<Record<string, string>> = {
  endpoint_deleted: 'its endpoint was deleted',
  superseded: 'a later event of the batch took its place',
};

/**
 * The deliveries of accounts. Every method rejects with ApiError for caller errors and with KubernetesApiError
 * otherwise.
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
    const { event = '', status = '', state = status, endpoint = '', ...page } = query;
    const list = `deliveries/${account}/${event}/${status}/${state}/${endpoint}`;
    const { data, pagination } = await pageFrom(this.#options.cursors, { list, ...page }, async () => {
      const all = await this.#options.log.list(account);
      return all.filter(
        ({ entry }) =>
          (event === '' || entry.spec.event.type === event) &&
          (status === '' || stateOf(entry) === status) &&
          (state === '' || stateOf(entry) === state) &&
          (endpoint === '' || entry.spec.endpointRef?.name === endpoint),
      );
    });
    return { data: data.map(deliveryEntryOf), pagination };
  }

  /** Returns one delivery, read from the server. Rejects with ApiError `delivery_not_found`. */
  async get(account: string, id: string): Promise<WebhookDelivery> {
    const found = isResourceName(id) ? await this.#resources.find(account, id) : undefined;
    if (found && found.metadata.deletionTimestamp === undefined) return found;
    const message = `There is no delivery ${JSON.stringify(id)} in this account: there never was, or it is too old. GET /v1/webhooks/deliveries lists those there are.`;
    throw new ApiError('delivery_not_found', message);
  }

  /** Requests one more attempt of a failed delivery. Rejects with ApiError `not_failed`. */
  async retry(account: string, id: string): Promise<WebhookDelivery> {
    for (let round = 1; ; round++) {
      const delivery = await this.get(account, id);
      assertRetryable(delivery);
      try {
        const asked = await this.#ask(delivery);
        this.#options.log.wrote(asked);
        return asked;
      } catch (error) {
        const isOvertaken = isApiError(error, 'Conflict') || isApiError(error, 'NotFound');
        if (!isOvertaken || round === MOST_ROUNDS) throw error;
      }
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

function assertRetryable(delivery: WebhookDelivery): void {
  const state = stateOf(delivery);
  if (state !== 'failed') {
    const message = `Only a delivery that failed can be retried; this one is ${state}.`;
    throw new ApiError('not_failed', message);
  }
  const pointless = POINTLESS[delivery.status?.lastError?.code ?? ''];
  if (pointless === undefined) return;
  throw new ApiError('not_failed', `The delivery cannot be retried: ${pointless}.`);
}
