import path from 'node:path';
import {
  CUSTOM_KINDS,
  deliveryOf,
  GENERATION_JOB,
  newId,
  TEMPLATE,
  WEBHOOK_DELIVERY,
  WEIGHT_LABEL,
  type GenerationJob,
  type Template,
  type WebhookEndpoint,
} from '@trifold/crds';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';

const HOUR_MS = 3_600_000;

/** Objects that an account created through /v1, to be copied many times. */
export interface Originals {
  readonly template: Template;
  readonly job: GenerationJob;
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Numbers of copies, and how many documents each job counts as. */
export interface Copies {
  readonly templates: number;
  readonly jobs: number;
  readonly weight: number;
  readonly deliveries: number;
}

/**
 * Writes copies into the database and the object store of a service that is stopped: a hundred times as fast as requests.
 * Templates were checked and are in their history, jobs have yet to begin, and deliveries wait for another attempt.
 */
export async function fillDatabase(data: string, originals: Originals, copies: Copies): Promise<void> {
  const plane = await EmbeddedControlPlane.open({
    file: path.join(data, 'control-plane.sqlite'),
    kinds: CUSTOM_KINDS,
    clock: systemClock,
    logger: createLogger({ name: 'copies', level: 'silent' }),
    durability: 'process',
  });
  try {
    const kubernetes = new KubernetesClient(plane.transport);
    const store = new DirectoryStore({ root: path.join(data, 'objects'), durability: 'process' });
    await copyTemplates(kubernetes, new TemplateHistory(store), originals.template, copies.templates);
    await copyJobs(kubernetes, originals.job, copies);
    await createDeliveries(kubernetes, originals.endpoints, copies.deliveries);
  } finally {
    await plane.close();
  }
}

async function copyTemplates(
  kubernetes: KubernetesClient,
  history: TemplateHistory,
  { metadata: { namespace = '' }, spec, status = {} }: Template,
  count: number,
): Promise<void> {
  const templates = kubernetes.resource(TEMPLATE);
  const { html = '', css } = spec;
  for (let copy = 0; copy < count; copy += 1) {
    const metadata = { name: newId('tpl', systemClock.now()), namespace };
    const template = await templates.createAsSent({ metadata, spec });
    await templates.replaceStatus({ ...template, status });
    const source = css === undefined ? { html } : { html, css };
    await history.record({ template, source }, systemClock.now());
  }
}

async function copyJobs(
  kubernetes: KubernetesClient,
  { metadata: { namespace = '' }, spec }: GenerationJob,
  { jobs, weight }: Copies,
): Promise<void> {
  const labels = { [WEIGHT_LABEL]: String(weight) };
  for (let copy = 0; copy < jobs; copy += 1) {
    const metadata = { name: newId('gen', systemClock.now()), namespace, labels };
    await kubernetes.resource(GENERATION_JOB).createAsSent({ metadata, spec });
  }
}

/** Creates deliveries, distributed evenly among the endpoints. */
async function createDeliveries(
  kubernetes: KubernetesClient,
  endpoints: readonly WebhookEndpoint[],
  count: number,
): Promise<void> {
  const data = { status: 'failed', template_id: 'x', status_url: '/v1/generate/x', created_at: '' } as const;
  const error = { code: 'print_failed', message: 'x'.repeat(1_000) };
  const deliveries = kubernetes.resource(WEBHOOK_DELIVERY);
  const nextAttemptAt = new Date(systemClock.now().getTime() + HOUR_MS).toISOString();
  for (let copy = 0; copy < count; copy += 1) {
    const { name, uid, namespace = '' } = endpoints[copy % endpoints.length]!.metadata;
    const createdAt = systemClock.now();
    const id = newId('evt', createdAt);
    const event = { id, type: 'document.failed', createdAt, data: { ...data, id, error } } as const;
    const draft = deliveryOf(namespace, event, { endpointRef: { name, uid } });
    const delivery = await deliveries.createAsSent(draft);
    const status = { phase: 'Pending', attemptCount: 1, nextAttemptAt } as const;
    await deliveries.replaceStatus({ ...delivery, status });
  }
}
