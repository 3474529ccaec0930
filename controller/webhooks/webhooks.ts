import { readFileSync } from 'node:fs';
import {
  BATCH,
  isSettled,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type Batch,
  type Draft,
  type GenerationJob,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
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
import { Attempts } from './delivery/attempts.ts';
import { deliveriesOfBatch } from './events/batch-events.ts';
import type { WebhooksConfig } from './config.ts';
import { DeliveryMemories } from './delivery/delivery-memories.ts';
import { DeliveryReconciler } from './delivery/delivery-reconciler.ts';
import { destinationOf } from './delivery/destination.ts';
import { EndpointHealth } from './endpoints/endpoint-health.ts';
import { EndpointReconciler } from './endpoints/endpoint-reconciler.ts';
import { EndpointSecrets } from './endpoints/endpoint-secrets.ts';
import { deliveriesOfJob } from './events/job-events.ts';
import { KEPT, keptAt, LogLimit } from './delivery/log-limit.ts';
import { Spooling } from './spool/spooling.ts';
import { BY_ACCOUNT, Subscriptions } from './events/subscriptions.ts';
import { webhookMetrics } from './webhook-metrics.ts';
import type { WorkCache } from '../work/work-cache.ts';

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

/** The subjects of events, whose status asks for deliveries. */
export interface Subjects {
  readonly jobs: WorkCache<GenerationJob>;
  readonly batches: WorkCache<Batch>;
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
  /** Cache that the end of a document needs. */
  readonly endpoints: Informer<WebhookEndpoint>;
  /** Cache that must be filled before `start`. Holds the log of settled deliveries too. */
  readonly deliveries: Informer<WebhookDelivery>;
  readonly #options: WebhooksOptions;
  readonly #attempts: Attempts;
  readonly #memories = new DeliveryMemories();
  readonly #outbound: Outbound;
  readonly #spooling: Spooling;
  readonly #keys: WebhookKeys;
  readonly #deliveryController: Controller;
  readonly #controllers: Controller[] = [];
  #subjects: Subjects | undefined;

  constructor(options: WebhooksOptions) {
    const { kubernetes, clock, logger, config, shared } = options;
    const endpointClient = kubernetes.resource(WEBHOOK_ENDPOINT);
    const deliveryClient = kubernetes.resource(WEBHOOK_DELIVERY);
    this.#options = options;
    const indexes = { [BY_ACCOUNT]: ({ metadata }: WebhookEndpoint) => [metadata.namespace ?? ''] };
    const endpoints = new Informer({ clock, logger, client: endpointClient, indexes });
    const deliveries = new Informer({
      clock,
      logger,
      client: deliveryClient,
      indexes: { [PENDING]: pendingAt, [IN_ORDER]: orderOf, [KEPT]: keptAt },
      transform: withoutSettledDetails,
    });
    this.endpoints = endpoints;
    this.deliveries = deliveries;
    this.subscriptions = new Subscriptions(endpoints, endpointClient);
    this.#outbound = options.outbound ?? outboundOf(options);
    this.#keys = new WebhookKeys(config.keys);
    const health = new EndpointHealth();
    const pendingOf = (destination: string) => deliveries.countByIndex(PENDING, destination);
    const services = {
      ...options,
      subscriptions: this.subscriptions,
      outbound: this.#outbound,
      secrets: new EndpointSecrets(this.#keys, kubernetes, clock),
      health,
      memories: this.#memories,
      pendingOf,
      metrics: webhookMetrics(options.metrics, {
        pending: () => pendingOf(ALL),
        running: () => this.#attempts.scheduler.running,
        spooled: () => this.#spooling.total,
        failingMs: () => health.longestFailingMs(endpoints.list(), clock.now()),
      }),
      enqueue: (key: ObjectKey) => this.#deliveryController.enqueue(key),
      enqueueEndpoint: (key: ObjectKey) => endpointController.enqueue(key),
    };
    const limits = config.spool;
    this.#spooling = new Spooling({
      ...services,
      limits,
      deliveryClient,
      endpointClient,
      deliveries,
      endpoints,
    });
    this.#attempts = new Attempts(services);
    this.#deliveryController = new Controller({
      ...shared,
      name: 'webhook-delivery',
      concurrency: DELIVERY_CONCURRENCY,
      reconciler: new DeliveryReconciler({
        ...services,
        deliveries: deliveryClient,
        cache: deliveries,
        attempts: this.#attempts,
        limit: new LogLimit(deliveries),
        spooling: this.#spooling,
        isSuperseded: (delivery) => this.#isSuperseded(delivery),
        hasSubject: (delivery) => hasSubject(delivery, this.#subjects),
      }),
    })
      .watches(deliveries, (key) => this.#withEarlier(key))
      .watches(endpoints, (key) => this.#cancelledBy(key));
    const endpointController = new Controller({
      ...shared,
      name: 'webhook-endpoint',
      concurrency: ENDPOINT_CONCURRENCY,
      reconciler: new EndpointReconciler({
        ...services,
        endpoints: endpointClient,
        cache: endpoints,
        spooledOf: (uid) => this.#spooling.countOf(uid),
      }),
    })
      .watches(endpoints)
      .watches(deliveries, (key) => this.#endpointOf(key));
    this.#controllers.push(endpointController);
  }

  /** Creates deliveries for the objects in these caches, from the start on. Call once, before `start`. */
  watchSubjects(subjects: Subjects): void {
    const { jobs, batches } = subjects;
    this.#subjects = subjects;
    this.#controllers.push(
      // Only the end of a job asks for deliveries.
      this.#outbox('generation-job-outbox', jobs, deliveriesOfJob).watches(jobs.finished),
      this.#outbox('batch-outbox', batches, deliveriesOfBatch)
        .watches(batches.unfinished)
        .watches(batches.finished),
    );
  }

  start(): void {
    for (const part of [this.#deliveryController, ...this.#controllers, this.#spooling]) part.start();
  }

  /**
   * Begins no more attempts. In-flight attempts get `graceMs` to end; the rest is aborted and repeated after the next
   * start.
   */
  async stop(graceMs: number): Promise<void> {
    const ended = this.#attempts.scheduler.close();
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
    await this.#spooling.deliver(deliveriesOfJob(job));
  }

  /** Resolves when all deliveries that the end of this batch asks for exist or are spooled. */
  async deliverBatchEvents(batch: Batch): Promise<void> {
    await this.#spooling.deliver(deliveriesOfBatch(batch));
  }

  /** Creates the deliveries that the status of jobs or batches asks for, as soon as it does. */
  #outbox<R extends GenerationJob | Batch>(
    name: string,
    cache: WorkCache<R>,
    deliveriesOf: (subject: R) => Draft<WebhookDelivery>[],
  ): Controller {
    const reconcile = async ({ namespace, name: subjectName }: ObjectKey) => {
      const subject = cache.get(namespace, subjectName);
      if (subject) await this.#spooling.deliver(deliveriesOf(subject));
    };
    const { shared } = this.#options;
    return new Controller({ ...shared, name, concurrency: OUTBOX_CONCURRENCY, reconciler: { reconcile } });
  }

  #isSuperseded(delivery: WebhookDelivery): boolean {
    const { event, sequence } = delivery.spec;
    if (event.type !== 'batch.progress' || sequence === undefined) return false;
    return this.#inOrderWith(delivery).some(({ spec }) => (spec.sequence ?? 0) > sequence);
  }

  /** Returns the delivery and the earlier deliveries that it may supersede. */
  #withEarlier(key: ObjectKey): ObjectKey[] {
    const delivery = this.deliveries.get(key.namespace, key.name);
    if (!delivery || isSettled(delivery)) return [key];
    const earlier = this.#inOrderWith(delivery).filter(
      (other) => !isSettled(other) && other.metadata.uid !== delivery.metadata.uid,
    );
    return [key, ...earlier.map(({ metadata }) => metadata)];
  }

  #inOrderWith(delivery: WebhookDelivery): WebhookDelivery[] {
    const [order] = orderOf(delivery);
    return order === undefined ? [] : this.deliveries.byIndex(IN_ORDER, order);
  }

  /**
   * Returns the pending deliveries of a deleted endpoint, so that they fail at once, not when they are due. Another
   * endpoint may have its name by now.
   */
  #cancelledBy({ namespace = '', name }: ObjectKey): ObjectKey[] {
    const uid = this.endpoints.get(namespace, name)?.metadata.uid;
    const waiting = this.deliveries.byIndex(PENDING, formatKey(namespace, name));
    return waiting.filter(({ spec }) => spec.endpointRef?.uid !== uid).map(({ metadata }) => metadata);
  }

  #endpointOf(key: ObjectKey): ObjectKey[] {
    const name = this.deliveries.get(key.namespace, key.name)?.spec.endpointRef?.name;
    return name === undefined ? [] : [{ ...key, name }];
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

/** Index values: all pending deliveries, those of one destination, and those of one endpoint by its name. */
function pendingAt(delivery: WebhookDelivery): string[] {
  if (isSettled(delivery)) return [];
  const { metadata, spec } = delivery;
  const { endpointRef } = spec;
  const values = [ALL, destinationOf(delivery)];
  return endpointRef ? [...values, formatKey(metadata.namespace, endpointRef.name)] : values;
}

/** Index value: deliveries to one endpoint of events of one subject that have an order. */
function orderOf({ spec: { endpointRef, subject, sequence } }: WebhookDelivery): string[] {
  if (sequence === undefined || !endpointRef || !subject) return [];
  return [`${endpointRef.uid} ${subject.uid}`];
}

/**
 * Reduces a settled delivery to what its retention needs. Settled deliveries are by far the most, and a log that others
 * read.
 */
function withoutSettledDetails(delivery: WebhookDelivery): WebhookDelivery {
  if (!isSettled(delivery)) return delivery;
  const { attempts: _, conditions: _conditions, lastError: _error, ...status } = delivery.status ?? {};
  const { spec } = delivery;
  return { ...delivery, spec: { ...spec, event: { ...spec.event, payload: '' } }, status };
}

function hasSubject({ metadata, spec: { subject } }: WebhookDelivery, subjects?: Subjects): boolean {
  if (!subject || !subjects) return false;
  const cache = subject.kind === BATCH.kind ? subjects.batches : subjects.jobs;
  return cache.get(metadata.namespace, subject.name)?.metadata.uid === subject.uid;
}
