import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { everyEntry, type Page, type PageQuery } from './pages.ts';
import type { Query, Schemas } from './schemas.ts';

const SETTINGS = '/v1/webhooks/settings';
const HOOKS = '/v1/hooks';
const DELIVERIES = '/v1/webhooks/deliveries';

/** What an endpoint can be told of; `webhook.test` is sent when it is asked for. */
export type SubscribableEvent = Hook['events'][number];

/** Where events go. */
export type WebhookDestination = Pick<NewHook, 'url' | 'events'>;

/** Body of a `set`. */
export type NewWebhookSettings = Schemas['WebhookSettingsRequest'];

/** How an endpoint does. */
export type WebhookSettings = Readonly<Schemas['WebhookSettings']>;

/** The answer to a `set`. */
export type SavedWebhookSettings = Readonly<Schemas['SavedWebhookSettings']>;

/** What came of a test event. */
export type WebhookTestResult = Readonly<Schemas['WebhookTestResult']>;

/** Body of a hook's create. */
export type NewHook = Schemas['HookRequest'];

/** Another destination of the account's events. */
export type Hook = Readonly<Schemas['Hook']>;

/** A hook as it is answered once, when it is made. */
export type CreatedHook = Readonly<Schemas['CreatedHook']>;

/** A delivery as the list has it. */
export type DeliveryEntry = Readonly<Schemas['DeliveryEntry']>;

/** One attempt; without an error it succeeded. */
export type DeliveryAttempt = Readonly<Schemas['DeliveryAttempt']>;

/** A delivery with its attempts, the latest last. */
export type WebhookDelivery = Readonly<Schemas['Delivery']>;

/** Which part of the log. */
export type DeliveryQuery = Query<'listDeliveries'>;

/** Where the account is told what happens, and what it was told. */
export class Webhooks {
  /** The account's own endpoint. */
  readonly settings: AccountWebhook;
  /** Destinations besides it. */
  readonly hooks: Hooks;
  /** The log. */
  readonly deliveries: Deliveries;

  constructor(transport: Transport) {
    this.settings = new AccountWebhook(transport);
    this.hooks = new Hooks(transport);
    this.deliveries = new Deliveries(transport);
  }
}

/** The one endpoint of the account. */
export class AccountWebhook {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Throws NotFoundError when there is none. */
  async get(options?: CallOptions): Promise<WebhookSettings> {
    return this.#transport.json({ method: 'GET', path: SETTINGS, options });
  }

  /** Makes it or replaces what it says; the secret stays. Sent once: of an answer that is lost, rotate the secret. */
  async set(settings: NewWebhookSettings, options?: CallOptions): Promise<SavedWebhookSettings> {
    return this.#transport.json({ method: 'POST', path: SETTINGS, body: settings, options });
  }

  /** Removes it, and gives up what waits for it; there may be none. */
  async delete(options?: CallOptions): Promise<{ readonly deleted: true }> {
    return this.#transport.json({ method: 'DELETE', path: SETTINGS, options });
  }

  /** Sends a test event once and answers what came of it. Throws NotFoundError when there is no endpoint. */
  async test(options?: CallOptions): Promise<WebhookTestResult> {
    return this.#transport.json({ method: 'POST', path: `${SETTINGS}/test`, options });
  }
}

/** The hook destinations of the account. */
export class Hooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sent once: a hook whose answer is lost is of no use; `list` finds it. */
  async create(hook: NewHook, options?: CallOptions): Promise<CreatedHook> {
    return this.#transport.json({ method: 'POST', path: HOOKS, body: hook, options });
  }

  async get(id: string, options?: CallOptions): Promise<Hook> {
    return this.#transport.json({ method: 'GET', path: `${HOOKS}/${segment(id)}`, options });
  }

  /** One page. */
  async page(query: PageQuery = {}, options?: CallOptions): Promise<Page<Hook>> {
    return this.#transport.json({ method: 'GET', path: HOOKS, query: { ...query }, options });
  }

  /** Every hook, page by page as they are needed. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<Hook, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  /** Removes it, and gives up what waits for it; there may be none. */
  async delete(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.#transport.json({ method: 'DELETE', path: `${HOOKS}/${segment(id)}`, options });
  }
}

/** The log of deliveries. */
export class Deliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page. */
  async page(query: DeliveryQuery = {}, options?: CallOptions): Promise<Page<DeliveryEntry>> {
    return this.#transport.json({ method: 'GET', path: DELIVERIES, query: { ...query }, options });
  }

  /** Every delivery, page by page as they are needed. */
  list(query: DeliveryQuery = {}, options?: CallOptions): AsyncGenerator<DeliveryEntry, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  async get(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.json({ method: 'GET', path: `${DELIVERIES}/${segment(id)}`, options });
  }

  /** Asks for one more attempt of one that failed. Throws ConflictError for any other. */
  async retry(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.json({ method: 'POST', path: `${DELIVERIES}/${segment(id)}/retry`, options });
  }
}
