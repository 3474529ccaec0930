import type { DeliveryAttempt, WebhookEndpoint, WebhookEndpointStatus } from '@trifold/crds';

/** How the attempts to an endpoint went, as its status tells it. */
export type Health = Pick<WebhookEndpointStatus, 'lastDelivery' | 'failures' | 'failingSince'>;

/** An endpoint to which nothing was sent for so long is not known to fail still. */
const LONGEST_QUIET_MS = 24 * 60 * 60 * 1000;

/** What this process knows of endpoints that their status may not say yet. By uid. */
export class EndpointHealth {
  readonly #known = new Map<string, Health>();
  /** Where they were when they were seen last. */
  readonly #seen = new Map<string, { readonly url: string; readonly generation: number }>();

  /** Takes note of where the endpoint is: at a new URL nothing of the old one counts. */
  see({ metadata: { uid, generation }, spec: { url }, status }: WebhookEndpoint): void {
    const seen = this.#seen.get(uid);
    if (seen && seen.generation > generation) return;
    this.#seen.set(uid, { url, generation });
    // Of what was changed while nobody looked, it may have been the URL.
    const isNew = seen ? seen.url !== url : (status?.observedGeneration ?? generation) !== generation;
    if (isNew) this.#known.set(uid, {});
  }

  /** Takes note of an attempt that ended. */
  note(endpoint: WebhookEndpoint, attempt: DeliveryAttempt): Health {
    this.see(endpoint);
    // It began before the endpoint moved.
    if (this.#seen.get(endpoint.metadata.uid)?.url !== endpoint.spec.url) return this.of(endpoint);
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
    this.#known.set(endpoint.metadata.uid, health);
    return health;
  }

  /** What is known now: what was noted, or what the status tells from before the start. */
  of({ metadata, status }: WebhookEndpoint): Health {
    const known = this.#known.get(metadata.uid);
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
   * For how long the one of these has failed that has failed for longest; milliseconds, 0 when none fails. What counts is
   * the time from the first failed attempt to the last, which has to be of late: one failed test says nothing of the days
   * after it.
   */
  longestFailingMs(endpoints: readonly WebhookEndpoint[], now: Date): number {
    const times = endpoints.map((endpoint) => {
      const { failingSince = '', lastDelivery } = this.of(endpoint);
      const last = Date.parse(lastDelivery?.at ?? '');
      const isQuiet = now.getTime() - last > LONGEST_QUIET_MS;
      return isQuiet ? 0 : last - Date.parse(failingSince);
    });
    return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
  }

  forget(uid: string): void {
    this.#known.delete(uid);
    this.#seen.delete(uid);
  }
}
