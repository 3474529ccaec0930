import { isDeepStrictEqual } from 'node:util';
import type { WebhookEndpoint, WebhookEndpointStatus } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';
import { parseEndpointUrl } from '@trifold/platform/records/webhooks/endpoint-url.ts';
import { retryOnConflict } from '../../work/retry-on-conflict.ts';
import { withLastCondition } from '../../work/status-parts.ts';
import { StatusWriter } from '../../work/status-writer.ts';
import type { WebhooksConfig } from '../config.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { EndpointSecretError, type EndpointSecrets } from './endpoint-secrets.ts';
import { endpointStatus, type EndpointFacts } from './endpoint-status.ts';
import type { Subscriptions } from '../events/subscriptions.ts';

export interface EndpointDependencies {
  readonly endpoints: Pick<ResourceClient<WebhookEndpoint>, 'find' | 'replace' | 'replaceStatus'>;
  readonly cache: MutableLister<WebhookEndpoint>;
  readonly subscriptions: Pick<Subscriptions, 'isBeyondLimit'>;
  readonly secrets: Pick<EndpointSecrets, 'current' | 'resealed'>;
  readonly health: EndpointHealth;
  /** Returns the number of pending deliveries to the endpoint. */
  readonly pendingOf: (endpoint: WebhookEndpoint) => number;
  /** Returns the number of events that wait for it in the object store; undefined while it is not backlogged. */
  readonly spooledOf: (endpoint: WebhookEndpoint) => number | undefined;
  readonly clock: Clock;
  readonly config: WebhooksConfig;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Minimum time between two writes of one endpoint's status that only update counts; milliseconds. */
const BETWEEN_WRITES_MS = 5_000;

interface Memory {
  readonly uid: string;
  writtenAt: number;
}

/** Shows the health of an endpoint in its status, and seals its secret again after a rotation of the controller's key. */
export class EndpointReconciler implements Reconciler {
  readonly #d: EndpointDependencies;
  readonly #memories = new Map<string, Memory>();
  readonly #statuses: StatusWriter<WebhookEndpoint>;

  constructor(dependencies: EndpointDependencies) {
    this.#d = dependencies;
    const { endpoints: client, cache, events } = dependencies;
    this.#statuses = new StatusWriter({
      noun: 'endpoint',
      client,
      cache,
      events,
      ownPartOf: withLastCondition,
    });
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { cache, endpoints: client } = this.#d;
    return retryOnConflict(key, { cache, client, signal }, (endpoint) =>
      this.#reconcile(key, endpoint, signal),
    );
  }

  async #reconcile(
    key: ObjectKey,
    endpoint: WebhookEndpoint | undefined,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const memory = this.#memoryOf(key, endpoint);
    if (!endpoint || !memory || endpoint.metadata.deletionTimestamp !== undefined) return;
    this.#d.health.see(endpoint);
    const now = this.#d.clock.now();
    const problem = await this.#problemOf(endpoint);
    const status = this.#statusOf(endpoint, problem, now);
    const writeInMs = this.#writeIn(endpoint, status, memory);
    let current = endpoint;
    if (writeInMs === 0) {
      current = await this.#statuses.replace(endpoint, status, signal);
      memory.writtenAt = this.#d.clock.monotonicMs();
      this.#warn(current, endpoint);
    }
    await this.#reseal(current, signal);
    if (writeInMs === 0 || writeInMs === Infinity) return;
    return { requeueAfterMs: writeInMs };
  }

  #memoryOf(key: ObjectKey, endpoint: WebhookEndpoint | undefined): Memory | undefined {
    const text = formatKey(key.namespace, key.name);
    const known = this.#memories.get(text);
    if (known && known.uid !== endpoint?.metadata.uid) {
      this.#memories.delete(text);
      this.#d.health.forget(known.uid);
    }
    if (!endpoint) return undefined;
    if (known?.uid === endpoint.metadata.uid) return known;
    const memory: Memory = { uid: endpoint.metadata.uid, writtenAt: -Infinity };
    this.#memories.set(text, memory);
    return memory;
  }

  async #problemOf(endpoint: WebhookEndpoint): Promise<EndpointFacts['problem']> {
    const { subscriptions, secrets, config } = this.#d;
    try {
      parseEndpointUrl(endpoint.spec.url, config);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { reason: 'UrlRefused', message: error.message };
    }
    if (subscriptions.isBeyondLimit(endpoint)) {
      return {
        reason: 'TooManyEndpoints',
        message: 'the account has as many older endpoints as it may have',
      };
    }
    try {
      await secrets.current(endpoint);
    } catch (error) {
      if (!(error instanceof EndpointSecretError)) throw error;
      return { reason: error.code, message: error.message };
    }
    return undefined;
  }

  /** Seals the secrets for the newest key, so that the previous key can go. */
  async #reseal(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<void> {
    const { secrets, endpoints: client, cache } = this.#d;
    const spec = await secrets.resealed(endpoint);
    if (spec) cache.mutated(await client.replace({ ...endpoint, spec }, signal));
  }

  #statusOf(endpoint: WebhookEndpoint, problem: EndpointFacts['problem'], now: Date): WebhookEndpointStatus {
    const { health, pendingOf, spooledOf } = this.#d;
    const facts = {
      health: health.of(endpoint),
      pending: pendingOf(endpoint),
      spooled: spooledOf(endpoint),
      ...(problem && { problem }),
    };
    return endpointStatus(endpoint, facts, now);
  }

  /**
   * Returns the delay of the write: 0 for now, Infinity when there is nothing to write. States that people wait for are
   * written at once, counts only from time to time.
   */
  #writeIn({ status }: WebhookEndpoint, next: WebhookEndpointStatus, memory: Memory): number {
    if (isDeepStrictEqual(status, next)) return Infinity;
    const isUrgent =
      status?.observedGeneration !== next.observedGeneration || statesOf(status) !== statesOf(next);
    const waitMs = memory.writtenAt + BETWEEN_WRITES_MS - this.#d.clock.monotonicMs();
    return isUrgent ? 0 : Math.max(0, waitMs);
  }

  #warn(written: WebhookEndpoint, before: WebhookEndpoint): void {
    const ready = written.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'False' || readyOf(before.status) === readyOf(written.status)) return;
    this.#d.events.warn(written, ready.reason, ready.message);
  }
}

function readyOf(status: WebhookEndpointStatus | undefined): string | undefined {
  return stateOf(status, 'Ready');
}

function statesOf(status: WebhookEndpointStatus | undefined): string {
  return `${stateOf(status, 'Ready')} ${stateOf(status, 'Backlogged')}`;
}

function stateOf(status: WebhookEndpointStatus | undefined, of: 'Ready' | 'Backlogged'): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === of);
  return condition && `${condition.status} ${condition.reason}`;
}
