import {
  GENERATION_JOB,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type GenerationJob,
  type KubernetesObject,
  type ObjectMeta,
  type Template,
  type WebhookDelivery,
} from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { expect, it } from 'vitest';
import { Caches } from './caches.ts';
import type { ControllerContext } from './context.ts';
import { aJob, aTemplate, NOON } from './testing/objects.ts';

const resource = (kind: object) => ({ kind, list: () => undefined, watch: () => undefined });
const logger = { child: () => logger };
const caches = new Caches({ kubernetes: { resource }, clock: {}, logger } as unknown as ControllerContext);

const text = (characters: number) => 'x'.repeat(characters);
const name = text(63);
/** Largest metadata that Kubernetes accepts in addition to the object's content. */
const metadata: Partial<ObjectMeta> = {
  name,
  namespace: name,
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': text(128 * 1024),
    'trifold.dev/samples': text(100 * 1024),
  },
};
const largest = { reason: text(1024), message: text(32_768), lastTransitionTime: NOON };
const condition = { type: 'Ready', status: 'True', ...largest } as const;

const template: Template = aTemplate({
  metadata,
  spec: {
    displayName: text(200),
    description: text(2000),
    html: text(1_048_576),
    schema: { fields: Array.from({ length: 500 }, () => ({ name: text(100), type: 'string' })) },
    email: { subject: text(1000), text: text(65_536) },
    sourceRef: { key: text(512), sha256: text(64), size: 1 },
  },
  status: { conditions: [condition], revision: text(64), error: { line: 1, column: 1, message: text(2000) } },
});
const delivery = (status: WebhookDelivery['status']): WebhookDelivery => ({
  ...aTemplate({ metadata: { ...metadata, annotations: { 'trifold.dev/retry': text(200_000) } } }),
  kind: WEBHOOK_DELIVERY.kind,
  spec: {
    event: { id: text(63), type: 'document.completed', createdAt: NOON, payload: text(32_768) },
    url: `https://${text(253)}/${text(4000)}`,
    subject: { kind: GENERATION_JOB.kind, name, uid: text(36) },
  },
  status: {
    ...status,
    attempts: Array.from({ length: 32 }, () => ({
      deliveryId: text(63),
      at: NOON,
      durationMs: 1,
      error: { code: text(64), message: text(1024) },
      response: text(1024),
    })),
    attemptCount: 32,
    lastError: { code: text(64), message: text(1024) },
    conditions: [condition],
    nextAttemptAt: NOON,
    retry: text(256),
  },
});
const job: GenerationJob = aJob({
  metadata: { ...metadata, annotations: { 'example.com/note': text(200_000) } },
  spec: { data: { text: text(8 * 1024) }, options: { header: { content: text(32_768) } } },
});
const finished: GenerationJob = aJob({
  metadata: { ...metadata, annotations: { 'example.com/note': text(200_000) } },
  spec: {
    data: { text: text(8 * 1024) },
    options: { header: { content: text(32_768) } },
    filename: text(255),
    callbackURL: text(2048),
    keyId: text(253),
    clientMetadata: { text: text(1020) },
  },
  status: {
    phase: 'Failed',
    error: { code: text(64), message: text(4096) },
    conditions: [condition, { ...condition, type: 'Failed' }],
    warnings: Array.from({ length: 20 }, () => ({ code: 'page_empty', message: text(256), name: text(256) })),
    deliverTo: Array.from({ length: 64 }, () => ({ name: text(253), uid: text(64) })),
  },
});
const sealedSecret = { keyId: text(16), ciphertext: text(4096) };
const endpoint = {
  ...aTemplate({ metadata: { ...metadata, annotations: { 'example.com/note': text(200_000) } } }),
  kind: WEBHOOK_ENDPOINT.kind,
  spec: { url: text(2048), sealedSecret, previousSealedSecret: { ...sealedSecret, until: NOON } },
  status: {
    conditions: ['Ready', 'Backlogged'].map((type) => ({ ...condition, type, message: text(1024) })),
  },
};

const shown = (cache: { mutated(object: never): void }, object: KubernetesObject): unknown => {
  cache.mutated(object as never);
  return (cache as unknown as typeof caches.templates).get(name, name);
};

it.each([
  ['a template', BOUNDS.cachedTemplates, () => shown(caches.templates, template)],
  [
    'a pending delivery',
    BOUNDS.cachedDeliveries,
    () => shown(caches.deliveries, delivery({ phase: 'Pending' })),
  ],
  [
    'a failed delivery',
    BOUNDS.cachedDeliveries,
    () => shown(caches.deliveries, delivery({ phase: 'Failed' })),
  ],
  ['a finished job', BOUNDS.cachedFinishedWork, () => shown(caches.jobs.finished, finished)],
  ['an endpoint', BOUNDS.cachedEndpoints, () => shown(caches.endpoints, endpoint)],
  ['an unfinished job', BOUNDS.cachedWork, () => shown(caches.jobs.unfinished, job)],
])('stays within the cache bound for %s with maximum content', (_what, { limit }, cached) => {
  const bytes = JSON.stringify(cached()).length;
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThanOrEqual(limit.value);
});
