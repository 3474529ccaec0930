import { SUBSCRIBABLE_EVENTS, type WebhookEndpoint } from '@trifold/crds';
import { createdAtOf } from '../server/pagination/page.ts';
import type { EndpointState, HookSource, HookView, SettingsView } from './endpoint-body.ts';

/** Annotation with the time of the last change through /v1. */
export const CHANGED_ANNOTATION = 'trifold.dev/changed-at';

/** Returns the API view of the account's endpoint; never contains the secret. */
export function settingsViewOf(endpoint: WebhookEndpoint): SettingsView {
  const { metadata, spec } = endpoint;
  const { events = [], previousSealedSecret } = spec;
  const createdAt = createdAtOf(endpoint).toISOString();
  return {
    url: spec.url,
    events: events.length > 0 ? [...events] : [...SUBSCRIBABLE_EVENTS],
    ...healthOf(endpoint),
    failing_since: isObserved(endpoint) ? (endpoint.status?.failingSince ?? null) : null,
    last_delivery: lastDeliveryOf(endpoint),
    ...waitingOf(endpoint),
    previous_secret_until: previousSealedSecret?.until ?? null,
    created_at: createdAt,
    updated_at: metadata.annotations?.[CHANGED_ANNOTATION] ?? createdAt,
  };
}

/** Returns the API view of a hook destination. */
export function hookViewOf(endpoint: WebhookEndpoint): HookView {
  const source = endpoint.spec.source as HookSource;
  return { id: endpoint.metadata.name, source, ...settingsViewOf(endpoint) };
}

/** Whether the endpoint is a hook destination rather than the account webhook. */
export function isHook({ spec: { source } }: WebhookEndpoint): boolean {
  return source !== undefined && source !== 'none';
}

/** Whether the status is for the current generation; an older one may be for another URL. */
function isObserved({ metadata, status }: WebhookEndpoint): boolean {
  return (status?.observedGeneration ?? 0) >= metadata.generation;
}

function healthOf(endpoint: WebhookEndpoint): { status: EndpointState; message: string | null } {
  const ready = endpoint.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || !isObserved(endpoint)) {
    return { status: 'pending', message: null };
  }
  if (ready.status === 'True') return { status: 'active', message: ready.message };
  return { status: ready.reason === 'Failing' ? 'failing' : 'unusable', message: ready.message };
}

function waitingOf({ status }: WebhookEndpoint): Pick<SettingsView, 'pending' | 'spooled'> {
  return { pending: status?.pending ?? 0, spooled: status?.spooled ?? 0 };
}

function lastDeliveryOf(endpoint: WebhookEndpoint): SettingsView['last_delivery'] {
  const last = endpoint.status?.lastDelivery;
  if (!last || !isObserved(endpoint)) return null;
  const { at, delivered, status: answered = null, durationMs } = last;
  return { at, delivered, status: answered, duration_ms: durationMs };
}
