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
   * Returns the endpoint; undefined for a callback, which has none. Only the API server decides that an endpoint is
   * deleted, never a cache, which may not know a new one yet.
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
