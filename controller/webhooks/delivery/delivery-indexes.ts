import { createHash } from 'node:crypto';
import { isSettled, MAX_ENDPOINTS, type WebhookDelivery } from '@trifold/crds';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';

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
  const number = digest.readUInt32BE(0) % MAX_ENDPOINTS;
  return `${CALLBACKS}${number}.${metadata.namespace ?? 'default'}`;
}

/** Whether the destination stands for callbacks, not for an endpoint. */
export function isOfCallbacks(destination: string): boolean {
  return destination.startsWith(CALLBACKS);
}

/** Returns scheme, host and port of the URL; a text that is not URL as it is. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Pending deliveries: all of them under ALL, those of an account, of one destination, and of one endpoint by its name. */
export const PENDING = 'pending';
/** Deliveries to one endpoint of events of one subject that have an order. */
export const IN_ORDER = 'in-order';
/** Settled deliveries of one endpoint, or of the callbacks of an account, and of the account, by phase. */
export const KEPT = 'kept';

/** Value of PENDING under which every pending delivery is. */
export const ALL = '';

/** Returns the value of PENDING and KEPT under which the deliveries of an account are. */
export function accountValue(account = 'default'): string {
  return `account ${account}`;
}

/** Indexes of the delivery cache. */
export const DELIVERY_INDEXES = {
  [PENDING]: pendingAt,
  [IN_ORDER]: orderOf,
  [KEPT]: keptAt,
};

function pendingAt(delivery: WebhookDelivery): string[] {
  if (isSettled(delivery)) return [];
  const { metadata, spec } = delivery;
  const { endpointRef } = spec;
  const values = [ALL, accountValue(metadata.namespace), destinationOf(delivery)];
  return endpointRef ? [...values, formatKey(metadata.namespace, endpointRef.name)] : values;
}

/** Returns the values of IN_ORDER. */
export function orderOf({ spec: { endpointRef, subject, sequence } }: WebhookDelivery): string[] {
  if (sequence === undefined || !endpointRef || !subject) return [];
  return [`${endpointRef.uid} ${subject.uid}`];
}

/** Returns the values of KEPT: that of the endpoint or the callbacks, and that of the account. */
export function keptAt(delivery: WebhookDelivery): string[] {
  if (!isSettled(delivery)) return [];
  const { metadata, spec, status } = delivery;
  const owners = [
    spec.endpointRef?.uid ?? `callbacks of ${metadata.namespace}`,
    accountValue(metadata.namespace),
  ];
  return owners.map((owner) => `${owner} ${status?.phase}`);
}
