import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { WebhookEndpoint, WebhookEndpointStatus } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';
import { parseEndpointUrl } from '@trifold/platform/records/webhooks/endpoint-url.ts';
import { retryOnConflict } from '@trifold/platform/kubernetes/controller/retry-on-conflict.ts';
import { StatusWriter } from '@trifold/platform/kubernetes/controller/status-writer.ts';
import type { WebhooksConfig } from '../config.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { EventSpool } from '../spool/event-spool.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { EndpointSecretError, type EndpointSecrets } from './endpoint-secrets.ts';
import { endpointStatus, type EndpointProblem } from './endpoint-status.ts';
import type { Subscriptions } from '../events/subscriptions.ts';

export interface EndpointDependencies {
  readonly endpointClient: Pick<ResourceClient<WebhookEndpoint>, 'find' | 'replace' | 'replaceStatus'>;
  readonly endpoints: MutableLister<WebhookEndpoint>;
  readonly deliveries: Pick<Deliveries, 'pending'>;
  readonly spool: Pick<EventSpool, 'countOf'>;
  readonly subscriptions: Pick<Subscriptions, 'isBeyondLimit'>;
  readonly secrets: Pick<EndpointSecrets, 'current' | 'resealed'>;
  readonly health: EndpointHealth;
  readonly clock: Clock;
  readonly config: WebhooksConfig;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Minimum time between two writes of one endpoint's status that only update counts, in milliseconds. */
const BETWEEN_WRITES_MS = 5_000;

/** Number of endpoints whose last write is kept in memory. */
const MAX_REMEMBERED = 10_000;

/**
 * Writes an endpoint's health to its status, and reseals its secret after a rotation of the controller's key.
 */
export class EndpointReconciler implements Reconciler {
  readonly #d: EndpointDependencies;
  /** Time of the last status write, by uid. */
  readonly #writtenAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  readonly #statuses: StatusWriter<WebhookEndpoint>;

  constructor(dependencies: EndpointDependencies) {
    this.#d = dependencies;
    const { endpointClient: client, endpoints: cache, events } = dependencies;
    this.#statuses = new StatusWriter({
      noun: 'endpoint',
      client,
      cache,
      events,
    });
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { endpoints: cache, endpointClient: client } = this.#d;
    return retryOnConflict(key, { cache, client, signal }, (endpoint) => this.#reconcile(endpoint, signal));
  }

  async #reconcile(endpoint: WebhookEndpoint | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    if (!endpoint || endpoint.metadata.deletionTimestamp !== undefined) return;
    const { health, deliveries, spool, clock } = this.#d;
    health.see(endpoint);
    const { uid } = endpoint.metadata;
    const now = clock.now();
    const problem = await this.#problemOf(endpoint);
    const pending = deliveries.pending(uid);
    const state = { health: health.of(endpoint), pending, spooled: spool.countOf(uid), problem };
    const status = endpointStatus(endpoint, state, now);
    const writeInMs = this.#writeIn(endpoint, status);
    let current = endpoint;
    if (writeInMs === 0) {
      current = await this.#statuses.replace(endpoint, status, signal);
      this.#writtenAt.set(uid, clock.monotonicMs());
      this.#warn(current, endpoint);
    }
    await this.#reseal(current, signal);
    if (writeInMs === 0 || writeInMs === Infinity) return;
    return { requeueAfterMs: writeInMs };
  }

  async #problemOf(endpoint: WebhookEndpoint): Promise<EndpointProblem | undefined> {
    const { subscriptions, secrets, config } = this.#d;
    try {
      parseEndpointUrl(endpoint.spec.url, config);
      if (subscriptions.isBeyondLimit(endpoint)) {
        const message = 'the account has reached its endpoint limit: delete an older endpoint';
        return { reason: 'TooManyEndpoints', message };
      }
      await secrets.current(endpoint);
      return undefined;
    } catch (error) {
      if (error instanceof OutboundError) return { reason: 'UrlRejected', message: error.message };
      if (error instanceof EndpointSecretError) return { reason: error.code, message: error.message };
      throw error;
    }
  }

  /** Seals the secrets for the newest key, so that the previous key can be removed. */
  async #reseal(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<void> {
    const { secrets, endpointClient: client, endpoints: cache } = this.#d;
    const spec = await secrets.resealed(endpoint);
    if (!spec) return;
    const { namespace, name, resourceVersion } = endpoint.metadata;
    const current = await client.find(namespace, name, signal);
    // A change causes another reconcile.
    if (current?.metadata.resourceVersion !== resourceVersion) return;
    cache.mutated(await client.replace({ ...current, spec }, signal));
  }

  /**
   * Returns the delay before the write: 0 for now, Infinity if there is nothing to write. States that users wait for
   * are written immediately, but counts only from time to time.
   */
  #writeIn({ metadata, status }: WebhookEndpoint, next: WebhookEndpointStatus): number {
    if (isDeepStrictEqual(status, next)) return Infinity;
    const isUrgent =
      status?.observedGeneration !== next.observedGeneration ||
      stateOf(status, 'Ready') !== stateOf(next, 'Ready') ||
      stateOf(status, 'Backlogged') !== stateOf(next, 'Backlogged');
    const writtenAt = this.#writtenAt.get(metadata.uid) ?? -Infinity;
    return isUrgent ? 0 : Math.max(0, writtenAt + BETWEEN_WRITES_MS - this.#d.clock.monotonicMs());
  }

  #warn(written: WebhookEndpoint, before: WebhookEndpoint): void {
    const ready = written.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'False' || stateOf(before.status, 'Ready') === stateOf(written.status, 'Ready'))
      return;
    this.#d.events.warn(written, ready.reason, ready.message);
  }
}

function stateOf(status: WebhookEndpointStatus | undefined, of: 'Ready' | 'Backlogged'): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === of);
  return condition && `${condition.status} ${condition.reason}`;
}
