import type { Draft, WebhookDelivery, WebhookDeliveryStatus } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { TerminalError } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { StatusWriter } from '@trifold/platform/kubernetes/controller/status-writer.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { SpoolLimits } from '../config.ts';
import { accountValue, IN_ORDER, orderOf, PENDING } from './delivery-indexes.ts';
import { withBareAttempt } from './delivery-status.ts';

export interface DeliveriesOptions {
  readonly client: Pick<
    ResourceClient<WebhookDelivery>,
    'create' | 'find' | 'replaceStatus' | 'deleteExactly'
  >;
  /** May omit payload, attempts and conditions. */
  readonly cache: Pick<Informer<WebhookDelivery>, 'get' | 'mutated' | 'byIndex' | 'countByIndex'>;
  readonly limits: SpoolLimits;
  readonly logger: Pick<Logger, 'warn'>;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Target of deliveries: a destination of an account, as in `destinationOf`. */
export interface DeliveryAddress {
  readonly account: string;
  readonly destination: string;
}

/** The deliveries on the API server, with a cache that shows the writes of this process immediately. */
export class Deliveries implements MutableLister<WebhookDelivery> {
  readonly #options: DeliveriesOptions;
  readonly #statuses: StatusWriter<WebhookDelivery>;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#statuses = new StatusWriter({ noun: 'delivery', ...options });
  }

  /** Returns the cached delivery, which may omit payload, attempts and conditions. */
  get(namespace: string | undefined, name: string): WebhookDelivery | undefined {
    return this.#options.cache.get(namespace, name);
  }

  mutated(delivery: WebhookDelivery): void {
    this.#options.cache.mutated(delivery);
  }

  /** Reads the whole delivery. The cache may be stale: the result may have a different phase or a different uid. */
  async find(
    namespace: string | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<WebhookDelivery | undefined> {
    const delivery = await this.#options.client.find(namespace, name, signal);
    if (delivery) this.mutated(delivery);
    return delivery;
  }

  /** Creates the delivery unless it exists. */
  async createOnce(draft: Draft<WebhookDelivery>): Promise<void> {
    try {
      this.mutated(await this.#options.client.create(draft));
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
  }

  /**
   * Writes the status. The API server may reject the receiver's response; the attempt is then written without it.
   * Rejects with a Conflict if the delivery has changed since it was read.
   */
  async writeStatus(
    delivery: WebhookDelivery,
    status: WebhookDeliveryStatus,
    signal: AbortSignal,
  ): Promise<WebhookDelivery> {
    try {
      return await this.#statuses.replace(delivery, status, signal);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      const { namespace, name } = delivery.metadata;
      this.#options.logger.warn({ namespace, name, err: error }, 'recorded an attempt without its response');
      return this.#statuses.replace(delivery, withBareAttempt(status), signal);
    }
  }

  /** Deletes the delivery. Does nothing if it is gone or if its name has been reused. */
  async delete(delivery: WebhookDelivery, signal: AbortSignal): Promise<void> {
    await this.#options.client.deleteExactly(delivery, signal);
  }

  /** Returns the deliveries of events about the same subject to the same endpoint, if they are ordered. */
  inOrderWith(delivery: WebhookDelivery): WebhookDelivery[] {
    const [order] = orderOf(delivery);
    return order === undefined ? [] : this.#options.cache.byIndex(IN_ORDER, order);
  }

  /** Returns the number of pending deliveries under a value of the PENDING index. */
  pending(value: string): number {
    return this.#options.cache.countByIndex(PENDING, value);
  }

  /**
   * Returns how many more deliveries to a destination may be pending. Beyond the account's limit, each destination has
   * a small share, so that it does not wait for dead destinations.
   */
  quotaOf({ account, destination }: DeliveryAddress): number {
    const { maxPending, maxOfAccount, share } = this.#options.limits;
    const pending = this.pending(destination);
    const left = maxOfAccount - this.pending(accountValue(account));
    return Math.min(maxPending - pending, Math.max(left, share - pending));
  }

  /** Whether so few deliveries are pending that spooled events become deliveries again. */
  hasRoomForSpooled(address: DeliveryAddress): boolean {
    return this.pending(address.destination) < this.#options.limits.refillBelow && this.quotaOf(address) > 0;
  }
}
