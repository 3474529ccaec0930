import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { ListedResource, Resource, type PageQuery, type Query, type Schemas } from './resource.ts';

const SETTINGS = '/v1/webhooks/settings';

/** Event that an endpoint can subscribe to; `webhook.test` is sent only by `test`. */
export type SubscribableEvent = Hook['events'][number];

/** Destination for events. */
export type WebhookDestination = Pick<NewHook, 'url' | 'events'>;

/** Request body for `set`. */
export type NewWebhookSettings = Schemas['WebhookSettingsRequest'];

/** Settings and health of an endpoint. */
export type WebhookSettings = Readonly<Schemas['WebhookSettings']>;

/** Result of `set`. */
export type SavedWebhookSettings = Readonly<Schemas['SavedWebhookSettings']>;

/** Result of a test event. */
export type WebhookTestResult = Readonly<Schemas['WebhookTestResult']>;

/** Request body for creating a hook. */
export type NewHook = Schemas['HookRequest'];

/** An additional destination for the account's events. */
export type Hook = Readonly<Schemas['Hook']>;

/** A new hook with its secret, which is returned only once. */
export type CreatedHook = Readonly<Schemas['CreatedHook']>;

/** A delivery in the list. */
export type DeliveryEntry = Readonly<Schemas['DeliveryEntry']>;

/** One attempt; it succeeded if it has no error. */
export type DeliveryAttempt = Readonly<Schemas['DeliveryAttempt']>;

/** A delivery with its attempts, oldest first. */
export type WebhookDelivery = Readonly<Schemas['Delivery']>;

/** Filter and page of the log. */
export type DeliveryQuery = Query<'listDeliveries'>;

/** Filters for `retryAll` and `retryPage`. */
export type RetryDeliveriesRequest = Schemas['RetryDeliveriesRequest'];

/** Result of `retryPage`. */
export type RetriedDeliveries = Readonly<Schemas['RetriedDeliveries']>;

/** The account's webhook endpoints and their delivery log. */
export class Webhooks {
  /** The account webhook. */
  readonly settings: AccountWebhook;
  /** Additional destinations. */
  readonly hooks: Hooks;
  /** The delivery log. */
  readonly deliveries: Deliveries;

  constructor(transport: Transport) {
    this.settings = new AccountWebhook(transport);
    this.hooks = new Hooks(transport);
    this.deliveries = new Deliveries(transport);
  }
}

/** The account webhook's endpoint. */
export class AccountWebhook extends Resource {
  /** Returns the endpoint; null if there is none. */
  async find(options?: CallOptions): Promise<WebhookSettings | null> {
    const request = { method: 'GET', path: '/v1/webhooks', options } as const;
    const { data } = await this.transport.json<Schemas['WebhookList']>(request);
    return data[0] ?? null;
  }

  /** Returns the endpoint. Throws NotFoundError if there is none. */
  async get(options?: CallOptions): Promise<WebhookSettings> {
    return this.transport.json({ method: 'GET', path: SETTINGS, options });
  }

  /**
   * Creates or replaces the endpoint; an existing secret is kept. Never retried: if the response is lost, rotate the
   * secret.
   */
  async set(settings: NewWebhookSettings, options?: CallOptions): Promise<SavedWebhookSettings> {
    return this.transport.json({ method: 'POST', path: SETTINGS, body: settings, options });
  }

  /** Deletes the endpoint, if it exists; its pending deliveries fail. */
  async delete(options?: CallOptions): Promise<{ readonly deleted: true }> {
    return this.transport.json({ method: 'DELETE', path: SETTINGS, options });
  }

  /** Sends one test event and returns the result. Throws NotFoundError if there is no endpoint. */
  async test(options?: CallOptions): Promise<WebhookTestResult> {
    return this.transport.json({ method: 'POST', path: `${SETTINGS}/test`, options });
  }
}

/** The account's hook destinations. */
export class Hooks extends ListedResource<Hook, PageQuery> {
  protected readonly path = '/v1/hooks';

  /** Creates a hook. Never retried: if the response is lost, the hook is useless; find it with `list`. */
  async create(hook: NewHook, options?: CallOptions): Promise<CreatedHook> {
    return this.transport.json({ method: 'POST', path: this.path, body: hook, options });
  }

  async get(id: string, options?: CallOptions): Promise<Hook> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /** Deletes a hook, if it exists; its pending deliveries fail. */
  async delete(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.transport.json({ method: 'DELETE', path: this.pathOf(id), options });
  }
}

/** The delivery log. */
export class Deliveries extends ListedResource<DeliveryEntry, DeliveryQuery> {
  protected readonly path = '/v1/webhooks/deliveries';

  async get(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /** Requests one more attempt for a failed delivery. Throws ConflictError for any other delivery. */
  async retry(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.transport.json({ method: 'POST', path: this.pathOf(id, '/retry'), options });
  }

  /**
   * Requests one more attempt for each matching failed delivery, with one request per 1,000 deliveries. Returns the
   * number of retried deliveries. After an error, some may have been retried; a repeated call skips these while they
   * are pending.
   */
  async retryAll(request: RetryDeliveriesRequest = {}, options?: CallOptions): Promise<number> {
    let total = 0;
    for (let page = request; ;) {
      const { retried, next_cursor } = await this.retryPage(page, options);
      total += retried;
      if (next_cursor === null) return total;
      page = { ...request, cursor: next_cursor };
    }
  }

  /** Requests one more attempt for at most 1,000 matching failed deliveries, newest first. Sent only once. */
  async retryPage(request: RetryDeliveriesRequest = {}, options?: CallOptions): Promise<RetriedDeliveries> {
    return this.transport.json({ method: 'POST', path: `${this.path}/retry`, body: request, options });
  }
}
