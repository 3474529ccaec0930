import { createHash } from 'node:crypto';
import { MOST_ENDPOINTS, type WebhookDelivery } from '@trifold/crds';

const CALLBACKS = 'callbacks-';

type Directed = Pick<WebhookDelivery, 'spec'> & { readonly metadata: { readonly namespace?: string } };

/**
 * Returns the key by which pending deliveries are counted: the uid of the endpoint, or for callbacks the account with a
 * number derived from scheme, host and port. There are as many numbers as an account may have endpoints. So the pending
 * deliveries are bounded, however many hosts the callbacks of an account go to, and a few hosts rarely share a number.
 */
export function destinationOf({ metadata, spec }: Directed): string {
  if (spec.endpointRef) return spec.endpointRef.uid;
  const digest = createHash('sha256')
    .update(originOf(spec.url ?? ''))
    .digest();
  const number = digest.readUInt32BE(0) % MOST_ENDPOINTS;
  return `${CALLBACKS}${number}.${metadata.namespace ?? 'default'}`;
}

/** Whether the destination stands for callbacks, not for an endpoint. */
export function isOfCallbacks(destination: string): boolean {
  return destination.startsWith(CALLBACKS);
}

/** Returns scheme, host and port of the URL; a text that is no URL as it is. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
