import { createHash } from 'node:crypto';
import { isSettled, MAX_ENDPOINTS, type WebhookDelivery } from '@trifold/crds';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';

const CALLBACKS = 'callbacks-';

type Directed = Pick<WebhookDelivery, 'spec'> & { readonly metadata: { readonly namespace?: string } };

/**
 * Returns the key by which pending deliveries are counted: the endpoint's uid, or, for callbacks, the account and a
 * number derived from the scheme, host and port. There are as many numbers as an account may have endpoints. So the
 * number of pending deliveries is limited, however many hosts an account's callbacks go to, and a few hosts rarely
 * share a number.
 */
export function destinationOf({ metadata, spec }: Directed): string {
  if (spec.endpointRef) return spec.endpointRef.uid;
  const digest = createHash('sha256')
    .update(originOf(spec.url ?? ''))
    .digest();
  const number = digest.readUInt32BE(0) % MAX_ENDPOINTS;
  return `${CALLBACKS}${number}.${metadata.namespace ?? 'default'}`;
}

/** Whether the destination represents callbacks rather than an endpoint. */
export function isOfCallbacks(destination: string): boolean {
  return destination.startsWith(CALLBACKS);
}

/** Returns the URL's scheme, host and port; returns a string that is not a URL unchanged. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Pending deliveries: all of them under ALL, and also by account, destination and endpoint name. */
export const PENDING = 'pending';
/** Deliveries of ordered events about one subject to one endpoint. */
export const IN_ORDER = 'in-order';
/** Settled deliveries: by endpoint (or an account's callbacks) and phase, and by account and phase. */
export const KEPT = 'kept';

/** Value of PENDING that includes every pending delivery. */
export const ALL = '';

/** Returns the PENDING and KEPT value for an account's deliveries. */
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

/** Returns the KEPT values: one for the endpoint or the callbacks, and one for the account. */
export function keptAt(delivery: WebhookDelivery): string[] {
  if (!isSettled(delivery)) return [];
  const { metadata, spec, status } = delivery;
  const owners = [
    spec.endpointRef?.uid ?? `callbacks of ${metadata.namespace}`,
    accountValue(metadata.namespace),
  ];
  return owners.map((owner) => `${owner} ${status?.phase}`);
}
