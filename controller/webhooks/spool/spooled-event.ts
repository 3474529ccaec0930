import type { Draft, WebhookDelivery, WebhookDeliverySpec } from '@trifold/crds';
import { destinationOf } from '../delivery/destination.ts';

/** Prefix of the spooled events: `webhooks/<account>/<destination>/<minute>/<event id>`. */
export const SPOOL_PREFIX = 'webhooks/';

export const MINUTE_MS = 60_000;

/** The spool of one destination. */
export interface SpoolAddress {
  readonly account: string;
  /** The uid of an endpoint, because a later endpoint of the same name is another one; or the key for callbacks. */
  readonly destination: string;
}

type Spoolable = Pick<WebhookDelivery, 'spec'> & {
  readonly metadata: { readonly namespace?: string; readonly name: string };
};

/** Returns the prefix of all events that are spooled for a destination. */
export function spoolPrefix({ account, destination }: SpoolAddress): string {
  return `${SPOOL_PREFIX}${account}/${destination}/`;
}

/** Returns the spool that the delivery would wait in. */
export function spoolOf(delivery: Spoolable): SpoolAddress {
  return { account: delivery.metadata.namespace ?? 'default', destination: destinationOf(delivery) };
}

/** Returns the key of the delivery, always the same for the same delivery. Keys sort by the time of the event. */
export function spoolKey(address: SpoolAddress, { spec: { event } }: Spoolable): string {
  const minute = `${event.createdAt.slice(0, 16).replaceAll(/[^0-9T]/g, '')}Z`;
  return `${spoolPrefix(address)}${minute}/${event.id}`;
}

/** Returns the end of the minute in a prefix of such keys; undefined when the prefix has none. */
export function endOfMinute(prefix: string): Date | undefined {
  const [, year, month, day, hour, minute] = /\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z\/$/.exec(prefix) ?? [];
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(start) ? undefined : new Date(start + MINUTE_MS);
}

/** Encodes a delivery for the spool, so that the same delivery can be created later. */
export function encodeSpooled({ metadata, spec }: Draft<WebhookDelivery>): string {
  return JSON.stringify({ name: metadata.name, spec });
}

/** Decodes the delivery to create; undefined when this is not an event that was spooled there. */
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
