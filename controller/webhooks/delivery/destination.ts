import { createHash } from 'node:crypto';
import { MOST_ENDPOINTS, type WebhookDelivery } from '@trifold/crds';

const CALLBACKS = 'callbacks-';

type Directed = Pick<WebhookDelivery, 'spec'> & { readonly metadata: { readonly namespace?: string } };

/**
 * What deliveries are counted by that wait for one place: the uid of the endpoint, or for callbacks the account with a
 * number that follows from scheme, host and port. There are as many numbers as an account may have endpoints. So what
 * waits is bounded however many places the callbacks of an account go to, and few places seldom share a number.
 */
export function destinationOf({ metadata, spec }: Directed): string {
  if (spec.endpointRef) return spec.endpointRef.uid;
  const digest = createHash('sha256')
    .update(placeOf(spec.url ?? ''))
    .digest();
  const number = digest.readUInt32BE(0) % MOST_ENDPOINTS;
  return `${CALLBACKS}${number}.${metadata.namespace ?? 'default'}`;
}

/** Whether it stands for callbacks, and not for an endpoint. */
export function isOfCallbacks(destination: string): boolean {
  return destination.startsWith(CALLBACKS);
}

function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
