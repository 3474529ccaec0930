import {
  minuteOf,
  timeOfMinute,
  type Draft,
  type WebhookDelivery,
  type WebhookDeliverySpec,
} from '@trifold/crds';
import { destinationOf } from '../delivery/delivery-indexes.ts';

/** Prefix of the spooled events: `webhooks/<account>/<destination>/<minute>/<event id>`. */
export const SPOOL_PREFIX = 'webhooks/';

/** The spool of one destination. */
export interface SpoolAddress {
  readonly account: string;
  /**
   * The uid of an endpoint, because a later endpoint with the same name is a different one; or the key for callbacks.
   */
  readonly destination: string;
}

type Spoolable = Pick<WebhookDelivery, 'spec'> & {
  readonly metadata: { readonly namespace?: string; readonly name: string };
};

/** Returns the prefix of all events spooled for a destination. */
export function spoolPrefix({ account, destination }: SpoolAddress): string {
  return `${SPOOL_PREFIX}${account}/${destination}/`;
}

/** Returns the spool that the delivery would wait in. */
export function spoolOf(delivery: Spoolable): SpoolAddress {
  return { account: delivery.metadata.namespace ?? 'default', destination: destinationOf(delivery) };
}

/** Returns the key of the delivery, always the same for the same delivery. Keys sort by the time of the event. */
export function spoolKey(address: SpoolAddress, { spec: { event } }: Spoolable): string {
  return `${spoolPrefix(address)}${minuteOf(event.createdAt)}/${event.id}`;
}

/** Returns the end of the minute in a prefix of such keys; undefined if the prefix has none. */
export function endOfMinute(prefix: string): Date | undefined {
  const start = timeOfMinute(prefix);
  return start && new Date(start.getTime() + 60_000);
}

/** Encodes a delivery for the spool, so that the same delivery can be created later. */
export function encodeSpooled({ metadata, spec }: Draft<WebhookDelivery>): string {
  return JSON.stringify({ name: metadata.name, spec });
}

/** Decodes the delivery to create; undefined if this is not an event spooled there. */
export function decodeSpooled(
  text: string,
  { account, destination }: SpoolAddress,
): Draft<WebhookDelivery> | undefined {
  const stored = parse(text);
  if (typeof stored?.name !== 'string' || !stored.spec) return undefined;
  const draft = { metadata: { namespace: account, name: stored.name }, spec: stored.spec };
  return destinationOf(draft) === destination ? draft : undefined;
}

function parse(text: string): { name?: unknown; spec?: WebhookDeliverySpec } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
