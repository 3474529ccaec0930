import type { Draft, WebhookDelivery, WebhookDeliverySpec } from '@trifold/crds';

/** What waits in the object store: `webhooks/<account>/<uid of the endpoint>/<minute>/<event id>`. */
export const SPOOL_PREFIX = 'webhooks/';

export const MINUTE_MS = 60_000;

/** The spool of one endpoint. */
export interface SpoolAddress {
  readonly account: string;
  /** Of the endpoint: one that takes its name later is another. */
  readonly uid: string;
}

type Spoolable = Pick<WebhookDelivery, 'spec'> & {
  readonly metadata: { readonly namespace?: string; readonly name: string };
};

/** What everything spooled for an endpoint begins with. */
export function spoolPrefix({ account, uid }: SpoolAddress): string {
  return `${SPOOL_PREFIX}${account}/${uid}/`;
}

/** Whose spool the delivery would wait in; undefined for a callback, which has none. */
export function spoolOf({ metadata, spec }: Spoolable): SpoolAddress | undefined {
  if (!spec.endpointRef) return undefined;
  return { account: metadata.namespace ?? 'default', uid: spec.endpointRef.uid };
}

/** Where the delivery waits, always the same for the same. Keys are ordered as the events' times are. */
export function spoolKey(address: SpoolAddress, { spec: { event } }: Spoolable): string {
  const minute = `${event.createdAt.slice(0, 16).replaceAll(/[^0-9T]/g, '')}Z`;
  return `${spoolPrefix(address)}${minute}/${event.id}`;
}

/** The moment after the minute of such keys, from their prefix. Undefined when it is none. */
export function endOfMinute(prefix: string): Date | undefined {
  const [, year, month, day, hour, minute] = /\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z\/$/.exec(prefix) ?? [];
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(start) ? undefined : new Date(start + MINUTE_MS);
}

/** As it is stored: what the same delivery is made of later. */
export function encodeSpooled({ metadata, spec }: Draft<WebhookDelivery>): string {
  return JSON.stringify({ name: metadata.name, spec });
}

/** The delivery to make. Undefined when this is nothing that was spooled there. */
export function decodeSpooled(
  text: string,
  { account, uid }: SpoolAddress,
): Draft<WebhookDelivery> | undefined {
  const stored = parse(text);
  if (typeof stored?.name !== 'string' || stored.spec?.endpointRef?.uid !== uid) return undefined;
  return { metadata: { namespace: account, name: stored.name }, spec: stored.spec };
}

function parse(text: string): { name?: unknown; spec?: WebhookDeliverySpec } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
