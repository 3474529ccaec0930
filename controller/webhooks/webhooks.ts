import { readFileSync } from 'node:fs';
import { BATCH, isSettled, WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT, type WebhookDelivery } from '@trifold/crds';
import { Controller } from '@trifold/platform/kubernetes/controller/controller.ts';
import { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { OutboundClient } from '@trifold/platform/outbound/outbound-client.ts';
import { SystemResolver } from '@trifold/platform/outbound/resolver.ts';
import { publishKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { Periodic } from '@trifold/platform/async/periodic.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext, Outbound, Process } from '../context.ts';
import { ALL, PENDING } from './delivery/delivery-indexes.ts';
import { Deliveries } from './delivery/deliveries.ts';
import { DeliveryQueue } from './delivery/delivery-queue.ts';
import { DeliveryReconciler } from './delivery/delivery-reconciler.ts';
import { LogLimit } from './delivery/log-limit.ts';
import { sendWebhook } from './delivery/webhook-sender.ts';
import { EndpointHealth } from './endpoints/endpoint-health.ts';
import { EndpointReconciler } from './endpoints/endpoint-reconciler.ts';
import { EndpointSecrets } from './endpoints/endpoint-secrets.ts';
import { deliveriesOfBatch } from './events/batch-events.ts';
import { Subscriptions } from './events/subscriptions.ts';
import { Outbox } from './outbox.ts';
import { EventSpool } from './spool/event-spool.ts';
import { webhookGauges, webhookMetrics } from './webhook-metrics.ts';

/** Number of deliveries reconciled concurrently. In-flight attempts do not occupy a worker. */
const DELIVERY_CONCURRENCY = 16;
const OUTBOX_CONCURRENCY = 8;
const ENDPOINT_CONCURRENCY = 2;
const SPOOL_CONCURRENCY = 4;
/** Interval of the scan for orphaned spools. */
const DISCOVERY_MS = 60_000;
/** Interval at which the webhook public key is republished, in case publishing failed or the key was removed. */
const PUBLICATION_INTERVAL_MS = 60_000;

/** Delivers events. Requires filled caches of endpoints and deliveries. */
export class Webhooks implements Process {
  readonly subscriptions: Subscriptions;
  readonly outbox: Outbox;
  /** Publishes the public key that seals endpoint secrets. Runs as soon as the process is the leader. */
  readonly publication: Process;
  readonly #queue: DeliveryQueue;
  readonly #outbound: Outbound;
  readonly #deliveryController: Controller;
  readonly #others: readonly Process[];

  constructor(context: ControllerContext, caches: Caches) {
    const services = createServices(context, caches);
    const { spool, queue, outbound } = services;
    this.subscriptions = services.subscriptions;
    this.outbox = new Outbox(services);
    this.publication = publicationOf(context);
    this.#queue = queue;
    this.#outbound = outbound;
    this.#deliveryController = deliveryController(services, caches);
    this.#others = [
      endpointController(services, caches),
      batchOutbox(context, caches, this.outbox),
      spoolController(services, caches),
      new Periodic({
        ...context.shared,
        name: 'webhook-spools',
        intervalMs: DISCOVERY_MS,
        run: () => spool.discover(),
      }),
    ];
  }

  start(): void {
    for (const part of [this.#deliveryController, ...this.#others]) part.start();
  }

  /**
   * Stops starting attempts. In-flight attempts get `graceMs` to finish; the rest are aborted and repeated after the
   * next start.
   */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([this.#queue.stop(graceMs), ...this.#others.map((part) => part.stop(graceMs))]);
    await this.#deliveryController.stop(graceMs);
    this.#outbound.close();
  }
}

type Services = ReturnType<typeof createServices>;

function createServices(context: ControllerContext, { endpoints, deliveries: cache }: Caches) {
  const { kubernetes, clock } = context;
  const { webhooks: config } = context.config;
  const { spool: limits } = config;
  const requests = {
    deliveries: new RequestSource(),
    endpoints: new RequestSource(),
    spools: new RequestSource(),
  };
  const endpointClient = kubernetes.resource(WEBHOOK_ENDPOINT);
  const health = new EndpointHealth();
  const services = {
    ...context,
    config,
    limits,
    requests,
    endpoints,
    deliveries: new Deliveries({ ...context, client: kubernetes.resource(WEBHOOK_DELIVERY), cache, limits }),
    endpointClient,
    subscriptions: new Subscriptions(endpoints, endpointClient),
    outbound: context.outbound ?? outboundOf(context),
    secrets: new EndpointSecrets(new WebhookKeys(config.keys), kubernetes, clock),
    health,
    metrics: webhookMetrics(context.metrics),
  };
  const spool = new EventSpool(services);
  const queue = new DeliveryQueue({
    ...services,
    send: async ({ metadata: { namespace, name, uid } }, signal) => {
      const whole = await services.deliveries.find(namespace, name, signal);
      if (whole?.metadata.uid === uid) return sendWebhook(services, whole, signal);
      // The cache lags; without the update, it would trigger the next attempt immediately.
      if (!whole) cache.forget(namespace, name);
      return undefined;
    },
  });
  webhookGauges(context.metrics, {
    pending: () => services.deliveries.pending(ALL),
    running: () => queue.running,
    spooled: () => spool.total,
    failingMs: () => health.maxFailingMs(endpoints.list(), clock.now()),
  });
  return { ...services, spool, queue };
}

function deliveryController(services: Services, caches: Caches): Controller {
  const { shared, endpoints, requests } = services;
  const { deliveries } = caches;
  const limit = new LogLimit(deliveries, requests.deliveries);
  const hasSubject = (delivery: WebhookDelivery) => isSubjectIn(caches, delivery);
  return new Controller({
    ...shared,
    name: 'webhook-delivery',
    concurrency: DELIVERY_CONCURRENCY,
    reconciler: new DeliveryReconciler({ ...services, limit, hasSubject }),
  })
    .watches(requests.deliveries)
    .watches(deliveries, (key) => withEarlier(services, key))
    .watches(endpoints, (key) => cancelledBy(caches, key));
}

function endpointController(services: Services, { deliveries }: Caches): Controller {
  const { shared, endpoints, requests } = services;
  return new Controller({
    ...shared,
    name: 'webhook-endpoint',
    concurrency: ENDPOINT_CONCURRENCY,
    reconciler: new EndpointReconciler(services),
  })
    .watches(requests.endpoints)
    .watches(endpoints)
    .watches(deliveries, (key) => endpointOf(services, key));
}

function spoolController(
  { shared, endpoints, requests, spool }: Services,
  { deliveries }: Caches,
): Controller {
  return new Controller({
    ...shared,
    name: 'webhook-spool',
    concurrency: SPOOL_CONCURRENCY,
    reconciler: spool,
  })
    .watches(requests.spools)
    .watches(endpoints, ({ namespace }) => spool.requestsOf(namespace))
    .watches(deliveries, (key) => spool.requestsAfter(key));
}

/**
 * Creates the deliveries for a batch's progress. Deliveries for finished work are created before any other follow-up
 * (finished-work/).
 */
function batchOutbox(
  { shared }: ControllerContext,
  { batches: { unfinished } }: Caches,
  outbox: Outbox,
): Controller {
  const reconcile = async ({ namespace, name }: ObjectKey) => {
    const batch = unfinished.get(namespace, name);
    if (batch) await outbox.deliver(deliveriesOfBatch(batch));
  };
  return new Controller({
    ...shared,
    name: 'batch-outbox',
    concurrency: OUTBOX_CONCURRENCY,
    reconciler: { reconcile },
  }).watches(unfinished);
}

function publicationOf({ kubernetes, config: { webhooks }, shared }: ControllerContext): Periodic {
  const keys = new WebhookKeys(webhooks.keys);
  return new Periodic({
    ...shared,
    name: 'publication-of-the-webhook-key',
    intervalMs: PUBLICATION_INTERVAL_MS,
    run: async () => {
      const key = await keys.sealingKey();
      if (key) await publishKey(kubernetes, webhooks.publishedKey, key);
    },
  });
}

/** Returns the delivery and the earlier deliveries that it may supersede. */
function withEarlier({ deliveries }: Pick<Services, 'deliveries'>, key: ObjectKey): ObjectKey[] {
  const delivery = deliveries.get(key.namespace, key.name);
  if (!delivery || isSettled(delivery)) return [key];
  const earlier = deliveries
    .inOrderWith(delivery)
    .filter((other) => !isSettled(other) && other.metadata.uid !== delivery.metadata.uid);
  return [key, ...earlier.map(({ metadata }) => metadata)];
}

/**
 * Returns the pending deliveries of a deleted endpoint, so that they fail immediately rather than when they are due.
 * Another endpoint may have taken its name by now.
 */
function cancelledBy({ endpoints, deliveries }: Caches, { namespace = '', name }: ObjectKey): ObjectKey[] {
  const uid = endpoints.get(namespace, name)?.metadata.uid;
  const waiting = deliveries.byIndex(PENDING, formatKey(namespace, name));
  return waiting.filter(({ spec }) => spec.endpointRef?.uid !== uid).map(({ metadata }) => metadata);
}

function endpointOf({ deliveries }: Pick<Services, 'deliveries'>, key: ObjectKey): ObjectKey[] {
  const name = deliveries.get(key.namespace, key.name)?.spec.endpointRef?.name;
  return name === undefined ? [] : [{ ...key, name }];
}

function isSubjectIn({ jobs, batches }: Caches, { metadata, spec: { subject } }: WebhookDelivery): boolean {
  if (!subject) return false;
  const cache = subject.kind === BATCH.kind ? batches : jobs;
  return cache.get(metadata.namespace, subject.name)?.metadata.uid === subject.uid;
}

function outboundOf({ config: { webhooks }, clock }: ControllerContext): OutboundClient {
  return new OutboundClient({
    guard: new AddressGuard(webhooks.allowAddresses, webhooks.denyAddresses),
    resolver: new SystemResolver(),
    clock,
    allowHttp: webhooks.allowHttp,
    proxies: webhooks.proxies,
    userAgent: `Trifold-Webhooks/${ownVersion()}`,
  });
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
