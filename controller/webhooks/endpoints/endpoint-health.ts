import { DAY_MS } from '@trifold/crds/retention.ts';
import { LRUCache } from 'lru-cache';
import type { DeliveryAttempt, WebhookEndpoint, WebhookEndpointStatus } from '@trifold/crds';

/** Results of the attempts to an endpoint, as shown in its status. */
export type Health = Pick<WebhookEndpointStatus, 'lastDelivery' | 'failures' | 'failingSince'>;

/** Time without an attempt after which an endpoint no longer counts as failing. */
const MAX_QUIET_MS = DAY_MS;

/** Number of endpoints whose health is kept in memory; for the others, it is in their status. */
const MAX_REMEMBERED = 10_000;

interface SeenEndpoint {
  /** URL and generation of the endpoint when it was last seen. */
  readonly url: string;
  readonly generation: number;
  /** Undefined if the status shows the current health. */
  readonly health: Health | undefined;
}

/** Endpoint health, by uid, that the status may not show yet. */
export class EndpointHealth {
  readonly #seen = new LRUCache<string, SeenEndpoint>({ max: MAX_REMEMBERED });

  /** Records the endpoint's URL: after a change, results for the old URL do not count. */
  see({ metadata: { uid, generation }, spec: { url }, status }: WebhookEndpoint): void {
    const seen = this.#seen.get(uid);
    if (seen && seen.generation > generation) return;
    // A change that this process did not see may have changed the URL.
    const isNew = seen ? seen.url !== url : (status?.observedGeneration ?? generation) !== generation;
    this.#seen.set(uid, { url, generation, health: isNew ? {} : seen?.health });
  }

  /** Records a finished attempt. */
  note(endpoint: WebhookEndpoint, attempt: DeliveryAttempt): void {
    this.see(endpoint);
    const { uid } = endpoint.metadata;
    const seen = this.#seen.get(uid);
    // The attempt began before the endpoint's URL changed.
    if (seen?.url !== endpoint.spec.url) return;
    const before = this.of(endpoint);
    const { at, durationMs, status, error } = attempt;
    const lastDelivery = {
      at,
      delivered: !error,
      durationMs,
      ...(status !== undefined && { status }),
      ...(error && { code: error.code }),
    };
    const health: Health = error
      ? { lastDelivery, failures: (before.failures ?? 0) + 1, failingSince: before.failingSince ?? at }
      : { lastDelivery, failures: 0 };
    this.#seen.set(uid, { ...seen, health });
  }

  /** Returns the current health: from this process, or from the status when the process started. */
  of({ metadata, status }: WebhookEndpoint): Health {
    const known = this.#seen.get(metadata.uid)?.health;
    if (known) return known;
    const { lastDelivery, failures, failingSince } = status ?? {};
    return {
      ...(lastDelivery && { lastDelivery }),
      ...(failures !== undefined && { failures }),
      ...(failingSince !== undefined && { failingSince }),
    };
  }

  /** Whether the last attempt failed. */
  isFailing(endpoint: WebhookEndpoint): boolean {
    return (this.of(endpoint).failures ?? 0) > 0;
  }

  /**
   * Returns the failure duration of the longest-failing of these endpoints, in milliseconds; 0 if none is failing.
   * Measures the time from the first failed attempt to the last, which must be recent: one failed test says nothing
   * about the following days.
   */
  maxFailingMs(endpoints: readonly WebhookEndpoint[], now: Date): number {
    const times = endpoints.map((endpoint) => {
      const { failingSince = '', lastDelivery } = this.of(endpoint);
      const last = Date.parse(lastDelivery?.at ?? '');
      const isQuiet = now.getTime() - last > MAX_QUIET_MS;
      return isQuiet ? 0 : last - Date.parse(failingSince);
    });
    return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
  }
}
