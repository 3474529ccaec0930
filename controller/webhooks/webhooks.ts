import { readFileSync } from 'node:fs';
import {
  BATCH,
  GENERATION_JOB,
  isSettled,
  NAMESPACE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type Batch,
  type GenerationJob,
  type KubernetesObject,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import {
  Controller,
  type ChangeSource,
  type ControllerOptions,
} from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { OutboundClient } from '@trifold/platform/outbound/outbound-client.ts';
import { SystemResolver } from '@trifold/platform/outbound/resolver.ts';
import { publishKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { AttemptScheduler } from './delivery/attempt-scheduler.ts';
import { Attempts } from './delivery/attempts.ts';
import { deliveriesOfBatch } from './events/batch-events.ts';
import type { WebhooksConfig } from './config.ts';
import { DeliveryMemories } from './delivery/delivery-memories.ts';
import { DeliveryReconciler } from './delivery/delivery-reconciler.ts';
import { DeliverySender } from './delivery/delivery-sender.ts';
import { destinationOf } from './delivery/destination.ts';
import { EndpointHealth } from './endpoints/endpoint-health.ts';
import { EndpointLookup } from './endpoints/endpoint-lookup.ts';
import { EndpointReconciler } from './endpoints/endpoint-reconciler.ts';
import { EndpointSecrets } from './endpoints/endpoint-secrets.ts';
import { deliveriesOfJob } from './events/job-events.ts';
import { KEPT, keptAt, LogLimit } from './delivery/log-limit.ts';
import { OutboxReconciler, type OutboxReconcilerOptions } from './events/outbox-reconciler.ts';
import { Outbox } from './events/outbox.ts';
import { Spooling } from './spool/spooling.ts';
import { BY_ACCOUNT, Subscriptions } from './events/subscriptions.ts';
import { webhookMetrics } from './webhook-metrics.ts';

/** Client that sends webhooks; tests use one that finds receivers on this machine. */
export type Outbound = Pick<OutboundClient, 'post' | 'close'>;

export interface WebhooksOptions {
  readonly kubernetes: KubernetesClient;
  /** Keeps the events of destinations that have too many. */
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: WebhooksConfig;
  readonly metrics: Metrics;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** @default built from the configuration */
  readonly outbound?: Outbound | undefined;
  /** Options that all controllers of the process share. */
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

/** Jobs or batches whose status asks for deliveries. */
export interface SubjectSource<R extends KubernetesObject> {
  readonly cache: { get(namespace: string | undefined, name: string): R | undefined };
  /** Report the changes of the cache that can ask for deliveries. */
  readonly changes: readonly ChangeSource[];
}

/** The subjects of events. */
export interface Subjects {
  readonly jobs: SubjectSource<GenerationJob>;
  readonly batches: SubjectSource<Batch>;
}

/** Deliveries reconciled at once. In-flight attempts hold no worker. */
const DELIVERY_CONCURRENCY = 16;
const OUTBOX_CONCURRENCY = 8;
const ENDPOINT_CONCURRENCY = 2;
/** Maximum time on stop to write the outcomes of the last attempts. */
const RECORD_GRACE_MS = 1_000;

/** Indexes of the delivery cache. */
const PENDING = 'pending';
const IN_ORDER = 'in-order';

/** Delivers events. Runs on the leader only; nothing runs before `start`. */
export class Webhooks {
  readonly subscriptions: Subscriptions;
  readonly #options: WebhooksOptions;
  readonly #endpoints: Informer<WebhookEndpoint>;
  readonly #deliveries: Informer<WebhookDelivery>;
  readonly #scheduler: AttemptScheduler;
  readonly #attempts: Attempts;
  readonly #memories = new DeliveryMemories();
  readonly #outbound: Outbound;
  readonly #outbox: Outbox;
  readonly #spooling: Spooling;
  readonly #keys: WebhookKeys;
  readonly #deliveryController: Controller;
  readonly #endpointController: Controller;
  readonly #controllers: Controller[] = [];
  #subjects: Subjects | undefined;

  constructor(options: WebhooksOptions) {
    const { kubernetes, clock, logger, config, shared, events } = options;
    const endpoints = kubernetes.resource(WEBHOOK_ENDPOINT);
    const deliveries = kubernetes.resource(WEBHOOK_DELIVERY);
    const watching = { clock, logger };
    this.#options = options;
    this.#endpoints = new Informer({ ...watching, client: endpoints, indexes: { [BY_ACCOUNT]: accountOf } });
    this.#deliveries = new Informer({
      ...watching,
      client: deliveries,
      indexes: { [PENDING]: pendingAt, [IN_ORDER]: orderOf, [KEPT]: keptAt },
      transform: slimWhenSettled,
    });
    this.subscriptions = new Subscriptions(this.#endpoints);
    this.#scheduler = new AttemptScheduler(config);
    this.#outbound = options.outbound ?? outboundOf(options);
    const health = new EndpointHealth();
    const metrics = webhookMetrics(options.metrics, {
      pending: () => this.#deliveries.countByIndex(PENDING, ALL),
      running: () => this.#scheduler.running,
      spooled: () => this.#spooling.total,
      failingMs: () => health.longestFailingMs(this.#endpoints.list(), clock.now()),
    });
    const pendingOf = (destination: string) => this.#deliveries.countByIndex(PENDING, destination);
    this.#spooling = new Spooling({
      ...options,
      limits: config.spool,
      metrics,
      endpoints: this.#endpoints,
      deliveries: this.#deliveries,
      pendingOf,
      enqueueEndpoint: (key) => this.#endpointController.enqueue(key),
    });
    this.#keys = new WebhookKeys(config.keys);
    const namespaces = kubernetes.builtin<KubernetesObject>(NAMESPACE);
    const secrets = new EndpointSecrets({ keys: this.#keys, namespaces, clock });
    const lookup = new EndpointLookup(this.subscriptions, endpoints);
    this.#attempts = new Attempts({
      scheduler: this.#scheduler,
      sender: new DeliverySender({ outbound: this.#outbound, secrets, clock }),
      endpoints: lookup,
      health,
      memories: this.#memories,
      clock,
      logger,
      metrics,
      enqueue: (key) => this.#deliveryController.enqueue(key),
      enqueueEndpoint: (key) => this.#endpointController.enqueue(key),
    });
    this.#deliveryController = new Controller({
      ...shared,
      name: 'webhook-delivery',
      concurrency: DELIVERY_CONCURRENCY,
      reconciler: new DeliveryReconciler({
        deliveries,
        cache: this.#deliveries,
        memories: this.#memories,
        endpoints: lookup,
        attempts: this.#attempts,
        limit: new LogLimit({ cache: this.#deliveries }),
        spooling: this.#spooling,
        enqueue: (key) => this.#deliveryController.enqueue(key),
        isSuperseded: (delivery) => this.#isSuperseded(delivery),
        hasSubject: (delivery) => hasSubject(delivery, this.#subjects),
        clock,
        logger,
        config,
        metrics,
        events,
      }),
    })
      .watches(this.#deliveries, (key) => this.#withEarlier(key))
      .watches(this.#endpoints, (key) => this.#cancelledBy(key));
    this.#endpointController = new Controller({
      ...shared,
      name: 'webhook-endpoint',
      concurrency: ENDPOINT_CONCURRENCY,
      reconciler: new EndpointReconciler({
        endpoints,
        cache: this.#endpoints,
        subscriptions: this.subscriptions,
        secrets,
        health,
        pendingOf: ({ metadata }) => pendingOf(metadata.uid),
        spooledOf: ({ metadata }) => this.#spooling.countOf(metadata.uid),
        clock,
        config,
        events,
      }),
    })
      .watches(this.#endpoints)
      .watches(this.#deliveries, (key) => this.#endpointOf(key));
    this.#outbox = new Outbox({
      deliveries,
      endpoints: lookup,
      spooling: this.#spooling,
      onCreated: (delivery) => this.#deliveries.mutated(delivery),
    });
    this.#controllers.push(this.#endpointController);
  }

  /** Creates deliveries for the objects in these caches, from the start on. Call once, before `start`. */
  watchSubjects(subjects: Subjects): void {
    this.#subjects = subjects;
    const jobs = { kind: GENERATION_JOB.kind, ...subjects.jobs };
    const batches = { kind: BATCH.kind, ...subjects.batches };
    this.#controllers.push(
      this.#outboxController('generation-job-outbox', { ...jobs, deliveriesOf: deliveriesOfJob }),
      this.#outboxController('batch-outbox', { ...batches, deliveriesOf: deliveriesOfBatch }),
    );
  }

  /** Cache that the end of a document needs. */
  get endpoints(): Informer<WebhookEndpoint> {
    return this.#endpoints;
  }

  /** Cache that must be filled before `start`. Holds the log of settled deliveries too. */
  get deliveries(): Informer<WebhookDelivery> {
    return this.#deliveries;
  }

  start(): void {
    for (const part of [this.#deliveryController, ...this.#controllers, this.#spooling]) part.start();
  }

  /**
   * Begins no more attempts. In-flight attempts get `graceMs` to end; the rest is aborted and repeated after the next
   * start.
   */
  async stop(graceMs: number): Promise<void> {
    const ended = this.#scheduler.close();
    await Promise.all([...this.#controllers, this.#spooling].map((part) => part.stop(graceMs)));
    await this.#waitFor(ended, graceMs);
    this.#attempts.abort();
    await ended;
    await this.#waitFor(this.#memories.allRecorded(), Math.min(graceMs, RECORD_GRACE_MS));
    await this.#deliveryController.stop(graceMs);
    this.#outbound.close();
  }

  /** Publishes the public key that seals the secrets of endpoints. Rejects with KubernetesApiError. */
  async publishKey(): Promise<void> {
    const { kubernetes, config } = this.#options;
    const key = await this.#keys.sealingKey();
    if (key) await publishKey(kubernetes, config.publishedKey, key);
  }

  /** Resolves when all deliveries that the end of this job asks for exist or are spooled. */
  async deliverJobEvents(job: GenerationJob): Promise<void> {
    await this.#outbox.make(job, deliveriesOfJob(job));
  }

  /** Resolves when all deliveries that the end of this batch asks for exist or are spooled. */
  async deliverBatchEvents(batch: Batch): Promise<void> {
    await this.#outbox.make(batch, deliveriesOfBatch(batch));
  }

  #outboxController<R extends KubernetesObject>(
    name: string,
    options: Omit<OutboxReconcilerOptions<R>, 'outbox'> & Pick<SubjectSource<R>, 'changes'>,
  ): Controller {
    const reconciler = new OutboxReconciler({ ...options, outbox: this.#outbox });
    const concurrency = OUTBOX_CONCURRENCY;
    const controller = new Controller({ ...this.#options.shared, name, concurrency, reconciler });
    for (const source of options.changes) controller.watches(source);
    return controller;
  }

  #isSuperseded(delivery: WebhookDelivery): boolean {
    const { event, place } = delivery.spec;
    if (event.type !== 'batch.progress' || place === undefined) return false;
    return this.#inOrderWith(delivery).some(({ spec }) => (spec.place ?? 0) > place);
  }

  /** Returns the delivery and the earlier deliveries that it may supersede. */
  #withEarlier(key: ObjectKey): ObjectKey[] {
    const delivery = this.#deliveries.get(key.namespace, key.name);
    if (!delivery || isSettled(delivery)) return [key];
    const earlier = this.#inOrderWith(delivery).filter(
      (other) => !isSettled(other) && other.metadata.uid !== delivery.metadata.uid,
    );
    return [key, ...earlier.map(deliveryKey)];
  }

  #inOrderWith(delivery: WebhookDelivery): WebhookDelivery[] {
    const [order] = orderOf(delivery);
    return order === undefined ? [] : this.#deliveries.byIndex(IN_ORDER, order);
  }

  /**
   * Returns the pending deliveries of a deleted endpoint, so that they fail at once, not when they are due. Another
   * endpoint may have its name by now.
   */
  #cancelledBy({ namespace = '', name }: ObjectKey): ObjectKey[] {
    const uid = this.#endpoints.get(namespace, name)?.metadata.uid;
    const waiting = this.#deliveries.byIndex(PENDING, formatKey(namespace, name));
    return waiting.filter(({ spec }) => spec.endpointRef?.uid !== uid).map(deliveryKey);
  }

  #endpointOf(key: ObjectKey): ObjectKey[] {
    const name = this.#deliveries.get(key.namespace, key.name)?.spec.endpointRef?.name;
    if (name === undefined) return [];
    return [{ ...(key.namespace !== undefined && { namespace: key.namespace }), name }];
  }

  async #waitFor(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
    await this.#options.clock.withTimeout(() => promise, timeoutMs, { onTimeout: () => undefined });
  }
}

/** Index value under which every object is. */
const ALL = '';

function outboundOf({ config, clock }: WebhooksOptions): OutboundClient {
  return new OutboundClient({
    guard: new AddressGuard(config.allowAddresses, config.denyAddresses),
    resolver: new SystemResolver(),
    clock,
    allowHttp: config.allowHttp,
    userAgent: `Trifold-Webhooks/${ownVersion()}`,
  });
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function accountOf({ metadata }: WebhookEndpoint): string[] {
  return [metadata.namespace ?? ''];
}

/** Index values: all pending deliveries, those of one destination, and those of one endpoint by its name. */
function pendingAt(delivery: WebhookDelivery): string[] {
  if (isSettled(delivery)) return [];
  const { metadata, spec } = delivery;
  const { endpointRef } = spec;
  const values = [ALL, destinationOf(delivery)];
  return endpointRef ? [...values, formatKey(metadata.namespace, endpointRef.name)] : values;
}

/** Index value: deliveries to one endpoint of events of one subject that have an order. */
function orderOf({ spec: { endpointRef, subject, place } }: WebhookDelivery): string[] {
  if (place === undefined || !endpointRef || !subject) return [];
  return [`${endpointRef.uid} ${subject.uid}`];
}

/**
 * Reduces a settled delivery to what its retention needs. Settled deliveries are by far the most, and a log that others
 * read.
 */
function slimWhenSettled(delivery: WebhookDelivery): WebhookDelivery {
  if (!isSettled(delivery)) return delivery;
  const {
    attempts: _attempts,
    conditions: _conditions,
    lastError: _lastError,
    ...status
  } = delivery.status ?? {};
  const { spec } = delivery;
  return { ...delivery, spec: { ...spec, event: { ...spec.event, payload: '' } }, status };
}

function hasSubject({ metadata, spec: { subject } }: WebhookDelivery, subjects?: Subjects): boolean {
  if (!subject || !subjects) return false;
  const { cache } = subject.kind === BATCH.kind ? subjects.batches : subjects.jobs;
  return cache.get(metadata.namespace, subject.name)?.metadata.uid === subject.uid;
}

function deliveryKey({ metadata: { namespace, name } }: WebhookDelivery): ObjectKey {
  return { ...(namespace !== undefined && { namespace }), name };
}
