import {
  ACCOUNT_ENDPOINT,
  MOST_ENDPOINTS,
  type EndpointRef,
  type SubscribableEvent,
  type WebhookEndpoint,
} from '@trifold/crds';

/** Index of the endpoint cache: by account. */
export const BY_ACCOUNT = 'account';

export interface EndpointCache {
  get(namespace: string | undefined, name: string): WebhookEndpoint | undefined;
  byIndex(index: string, value: string): WebhookEndpoint[];
}

/** Selects the endpoints that receive an event. */
export class Subscriptions {
  readonly #cache: EndpointCache;

  constructor(cache: EndpointCache) {
    this.#cache = cache;
  }

  /** Returns the endpoints of the account that want events of that type; undefined when no endpoint does. */
  deliverTo(account: string, type: SubscribableEvent): EndpointRef[] | undefined {
    const refs = this.#inForce(account)
      .filter((endpoint) => wants(endpoint, type))
      .map(({ metadata: { name, uid } }) => ({ name, uid }));
    return refs.length > 0 ? refs : undefined;
  }

  /** Returns the endpoint with that uid, if it exists and is not being deleted. */
  find(account: string, { name, uid }: EndpointRef): WebhookEndpoint | undefined {
    const endpoint = this.#cache.get(account, name);
    return endpoint?.metadata.uid === uid && !isDeleted(endpoint) ? endpoint : undefined;
  }

  /** Whether the account has so many older endpoints that this one receives nothing. */
  isBeyondLimit(endpoint: WebhookEndpoint): boolean {
    const { namespace = '', uid } = endpoint.metadata;
    return !this.#inForce(namespace).some(({ metadata }) => metadata.uid === uid);
  }

  /** Returns the account's own endpoint, however many are older, and the oldest of the others. */
  #inForce(account: string): WebhookEndpoint[] {
    const all = this.#cache.byIndex(BY_ACCOUNT, account).filter((endpoint) => !isDeleted(endpoint));
    const others = all.filter((endpoint) => !isOwn(endpoint)).toSorted(byAge);
    return [...all.filter(isOwn), ...others.slice(0, MOST_ENDPOINTS - 1)];
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
