import {
  BATCH,
  GENERATION_JOB,
  TEMPLATE,
  TEMPLATES_PER_PAGE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type Batch,
  type GenerationJob,
  type Template,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { usageOfBatch, usageOfJob } from '@trifold/platform/records/usage/work-usage.ts';
import type { ControllerContext } from './context.ts';
import { DELIVERY_INDEXES } from './webhooks/delivery/delivery-indexes.ts';
import { reducedDelivery } from './webhooks/delivery/reduced-delivery.ts';
import { BY_ACCOUNT } from './webhooks/events/subscriptions.ts';
import { reducedTemplate } from './templates/reduced-template.ts';
import { reducedBatch, reducedJob } from './work/reduced-work.ts';
import { WorkCache } from './work/work-cache.ts';

type Cache = Pick<Informer<Template>, 'start' | 'synced' | 'hasSynced' | 'stop'>;

/** The controller's caches of API server objects. */
export class Caches {
  readonly jobs: WorkCache<GenerationJob>;
  readonly batches: WorkCache<Batch>;
  /** Contains reduced templates. Only the leader fills it, because a template can be as large as a megabyte. */
  readonly templates: Informer<Template>;
  readonly endpoints: Informer<WebhookEndpoint>;
  /** Contains reduced deliveries, including settled ones. */
  readonly deliveries: Informer<WebhookDelivery>;
  /** Caches required to generate documents. */
  readonly #present: readonly Cache[];
  /** Caches of finished work and the delivery log, which may be long. Only the leader fills them. */
  readonly #past: readonly Cache[];

  constructor({ kubernetes, clock, logger }: ControllerContext) {
    const shared = { clock, logger };
    const jobs = kubernetes.resource(GENERATION_JOB);
    const batches = kubernetes.resource(BATCH);
    this.jobs = new WorkCache({ ...shared, client: jobs, usageOf: usageOfJob, reduce: reducedJob });
    this.batches = new WorkCache({ ...shared, client: batches, usageOf: usageOfBatch, reduce: reducedBatch });
    this.templates = new Informer({
      ...shared,
      client: kubernetes.resource(TEMPLATE),
      transform: reducedTemplate,
      pageSize: TEMPLATES_PER_PAGE,
    });
    this.endpoints = new Informer({
      ...shared,
      client: kubernetes.resource(WEBHOOK_ENDPOINT),
      indexes: { [BY_ACCOUNT]: ({ metadata }) => [metadata.namespace ?? ''] },
    });
    this.deliveries = new Informer({
      ...shared,
      client: kubernetes.resource(WEBHOOK_DELIVERY),
      indexes: DELIVERY_INDEXES,
      transform: reducedDelivery,
    });
    this.#present = [this.jobs.unfinished, this.batches.unfinished, this.endpoints];
    this.#past = [this.jobs.finished, this.batches.finished, this.deliveries];
  }

  get areWarm(): boolean {
    return this.#present.every((cache) => cache.hasSynced);
  }

  /** Fills the caches that a standby keeps current. Idempotent. Rejects if stopped before they are filled. */
  async warm(): Promise<void> {
    await filled(this.#present);
  }

  /** Fills the cache of templates. Rejects if stopped before it is filled. */
  async fillTemplates(): Promise<void> {
    await filled([this.templates]);
  }

  /** Fills the other caches. Rejects if stopped before they are filled. */
  async fillPast(): Promise<void> {
    await filled(this.#past);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#present, this.templates, ...this.#past].map((cache) => cache.stop()));
  }
}

async function filled(caches: readonly Cache[]): Promise<void> {
  for (const cache of caches) cache.start();
  await Promise.all(caches.map((cache) => cache.synced()));
}
