import type { Draft, WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Subscriptions } from '../events/subscriptions.ts';

/** Finds the endpoint of a delivery. */
export class EndpointLookup {
  readonly #subscriptions: Pick<Subscriptions, 'find'>;
  readonly #client: Pick<ResourceClient<WebhookEndpoint>, 'find'>;

  constructor(
    subscriptions: Pick<Subscriptions, 'find'>,
    client: Pick<ResourceClient<WebhookEndpoint>, 'find'>,
  ) {
    this.#subscriptions = subscriptions;
    this.#client = client;
  }

  /**
   * The endpoint; undefined for a callback, which has none. That it is deleted is said by the API server and never by
   * a cache, which may not know yet one that was just made.
   */
  async endpointOf(
    { metadata: { namespace = 'default' }, spec: { endpointRef } }: Draft<WebhookDelivery> | WebhookDelivery,
    signal?: AbortSignal,
  ): Promise<WebhookEndpoint | 'deleted' | undefined> {
    if (!endpointRef) return undefined;
    const known = this.#subscriptions.find(namespace, endpointRef);
    if (known) return known;
    const found = await this.#client.find(namespace, endpointRef.name, signal);
    const isThere = found?.metadata.uid === endpointRef.uid && found.metadata.deletionTimestamp === undefined;
    return isThere ? found : 'deleted';
  }
}
