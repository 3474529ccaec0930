import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { CallbackEvent, WebhookEvent } from '../webhooks/events.ts';
import { everyEntry, type Page, type PageQuery } from './pages.ts';

const SETTINGS = '/v1/webhooks/settings';
const HOOKS = '/v1/hooks';
const DELIVERIES = '/v1/webhooks/deliveries';

/** What an endpoint can be told of; `webhook.test` is sent when it is asked for. */
export type SubscribableEvent = Exclude<WebhookEvent['type'], 'webhook.test'>;

/** Where events go. */
export interface WebhookDestination {
  /** HTTPS, a public address, no user, password or fragment. */
  url: string;
  /** @default all */
  events?: readonly SubscribableEvent[];
}

/** Body of a `set`. */
export interface NewWebhookSettings extends WebhookDestination {
  /** Draws a new secret. The one before signs as well for 24 hours. @default false */
  rotate_secret?: boolean;
}

/** How an endpoint does. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  /** `failing` when its last attempts failed, `unusable` when nothing can be sent, `pending` until a change is in force. */
  readonly status: 'pending' | 'active' | 'failing' | 'unusable';
  /** The status in words. */
  readonly message: string | null;
  /** ISO 8601: when the first of the failures since the last success was. */
  readonly failing_since: string | null;
  /** The attempt that ended last; behind by some seconds. */
  readonly last_delivery: {
    /** ISO 8601. */
    readonly at: string;
    readonly delivered: boolean;
    /** HTTP status, if there was an answer. */
    readonly status: number | null;
    readonly duration_ms: number;
  } | null;
  /** Deliveries that wait; behind by some seconds. */
  readonly pending: number;
  /** Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds. */
  readonly spooled: number;
  /** ISO 8601: until when the secret before signs as well. */
  readonly previous_secret_until: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** The answer to a `set`. */
export interface SavedWebhookSettings extends WebhookSettings {
  /** For `verifyWebhook`; when one was made, and never again. */
  readonly secret?: string;
}

/** What came of a test event. */
export interface WebhookTestResult {
  readonly delivered: boolean;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Body of a hook's create. */
export interface NewHook extends WebhookDestination {
  source: 'zapier' | 'make';
}

/** Another destination of the account's events. */
export interface Hook extends WebhookSettings {
  readonly id: string;
  readonly source: 'zapier' | 'make';
}

/** A hook as it is answered once, when it is made. */
export interface CreatedHook extends Hook {
  /** For `verifyWebhook`: it cannot be had again. */
  readonly secret: string;
}

/** What every entry of the log has. */
interface DeliveryFacts {
  readonly id: string;
  /** The same for every endpoint. */
  readonly event_id: string;
  readonly event_type: WebhookEvent['type'] | CallbackEvent['type'];
  /** `account`, or the id of a hook; null for the `webhook_url` of one document. */
  readonly endpoint: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** ISO 8601. */
  readonly next_attempt_at: string | null;
  /** ISO 8601. */
  readonly created_at: string;
}

/** A delivery as the list has it. */
export interface DeliveryEntry extends DeliveryFacts {
  /** How many there were. */
  readonly attempts: number;
}

/** One attempt; without an error it succeeded. */
export interface DeliveryAttempt {
  /** `X-Trifold-Delivery-ID`. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly duration_ms: number;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The first 1 KiB of the answer. */
  readonly answer: string | null;
}

/** A delivery with its attempts, the latest last. */
export interface WebhookDelivery extends DeliveryFacts {
  readonly attempts: readonly DeliveryAttempt[];
  /** The `webhook_url` of one document; null for an endpoint. */
  readonly url: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** ISO 8601. */
  readonly finished_at: string | null;
  /** The body of the request. */
  readonly payload: string;
}

/** Which part of the log. */
export interface DeliveryQuery extends PageQuery {
  readonly event?: DeliveryFacts['event_type'] | undefined;
  readonly status?: DeliveryFacts['status'] | undefined;
  /** Another name of `status`. */
  readonly state?: DeliveryFacts['status'] | undefined;
  /** `account`, or the id of a hook. */
  readonly endpoint?: string | undefined;
}

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
  async delete(id: string, options?: CallOptions): Promise<{ readonly id: string; readonly deleted: true }> {
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
