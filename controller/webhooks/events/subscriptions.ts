import {
  ACCOUNT_ENDPOINT,
  MAX_ENDPOINTS,
  type Draft,
  type EndpointRef,
  type SubscribableEvent,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';

/** Index of the endpoint cache, by account. */
export const BY_ACCOUNT = 'account';

/** Selects the endpoints that receive an event, and finds the endpoint of a delivery. */
export class Subscriptions {
  readonly #cache: Pick<Informer<WebhookEndpoint>, 'get' | 'byIndex'>;
  readonly #client: Pick<ResourceClient<WebhookEndpoint>, 'find' | 'list'>;

  constructor(
    cache: Pick<Informer<WebhookEndpoint>, 'get' | 'byIndex'>,
    client: Pick<ResourceClient<WebhookEndpoint>, 'find' | 'list'>,
  ) {
    this.#cache = cache;
    this.#client = client;
  }

  /** Returns the account's endpoints that are subscribed to events of this type; undefined if there are none. */
  deliverTo(account: string, type: SubscribableEvent): EndpointRef[] | undefined {
    const refs = this.#inForce(account)
      .filter((endpoint) => wants(endpoint, type))
      .map(({ metadata: { name, uid } }) => ({ name, uid }));
    return refs.length > 0 ? refs : undefined;
  }

  /**
   * Returns the endpoint of the delivery; undefined for a callback, which has none. Only the API server decides whether
   * an endpoint is deleted, never a cache, which may not contain a new one yet.
   */
  async endpointOf(
    { metadata: { namespace = 'default' }, spec: { endpointRef } }: Draft<WebhookDelivery>,
    signal?: AbortSignal,
  ): Promise<WebhookEndpoint | 'deleted' | undefined> {
    if (!endpointRef) return undefined;
    const { name, uid } = endpointRef;
    const isIt = (endpoint?: WebhookEndpoint) => endpoint?.metadata.uid === uid && !isDeleted(endpoint);
    const known = this.#cache.get(namespace, name);
    if (isIt(known)) return known;
    const found = await this.#client.find(namespace, name, signal);
    return isIt(found) ? found : 'deleted';
  }

  /** Returns the endpoint with that uid if the cache shows it. */
  cached(account: string, uid: string): WebhookEndpoint | undefined {
    return this.#cache.byIndex(BY_ACCOUNT, account).find(({ metadata }) => metadata.uid === uid);
  }

  /** Returns the endpoint with that uid, unless it is deleted; again, only the API server decides that. */
  async findByUid(account: string, uid: string, signal: AbortSignal): Promise<WebhookEndpoint | undefined> {
    const known = this.cached(account, uid);
    if (known && !isDeleted(known)) return known;
    const { items } = await this.#client.list({ namespace: account, signal });
    return items.find((endpoint) => endpoint.metadata.uid === uid && !isDeleted(endpoint));
  }

  /** Whether the account has so many older endpoints that this one receives no events. */
  isBeyondLimit(endpoint: WebhookEndpoint): boolean {
    const { namespace = '', uid } = endpoint.metadata;
    return !this.#inForce(namespace).some(({ metadata }) => metadata.uid === uid);
  }

  /** Returns the account webhook, however many endpoints are older, and the oldest of the others. */
  #inForce(account: string): WebhookEndpoint[] {
    const all = this.#cache.byIndex(BY_ACCOUNT, account).filter((endpoint) => !isDeleted(endpoint));
    const others = all.filter((endpoint) => !isOwn(endpoint)).toSorted(byAge);
    return [...all.filter(isOwn), ...others.slice(0, MAX_ENDPOINTS - 1)];
  }
}

function wants({ spec: { events = [] } }: WebhookEndpoint, type: SubscribableEvent): boolean {
  return events.length === 0 || events.includes(type);
}

function isOwn({ metadata }: WebhookEndpoint): boolean {
  return metadata.name === ACCOUNT_ENDPOINT;
}

function isDeleted({ metadata }: WebhookEndpoint): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function byAge({ metadata: one }: WebhookEndpoint, { metadata: other }: WebhookEndpoint): number {
  if (one.creationTimestamp !== other.creationTimestamp) {
    return one.creationTimestamp < other.creationTimestamp ? -1 : 1;
  }
  return one.name < other.name ? -1 : 1;
}
