import { createHash } from 'node:crypto';
import {
  API_KEY,
  apiVersionOf,
  BATCH,
  deliveryOf,
  GENERATION_JOB,
  MAX_ENDPOINT_URL_LENGTH,
  MAX_ENDPOINTS,
  MAX_RESPONSE_LENGTH,
  newId,
  TEMPLATE,
  templateThumbnailKey,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type ApiKey,
  type Template,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { batchRowOf } from '@trifold/platform/records/documents/finished-batch.ts';
import { documentRowOf } from '@trifold/platform/records/documents/finished-document.ts';
import { WorkIndex, type IndexList } from '@trifold/platform/records/documents/work-index.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { SETTINGS } from '@trifold/platform/settings/settings.ts';
import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { ServiceProcess } from '../support/service.ts';
import { copyObjects, linkHistories, storeOf } from './filled-database.ts';
import { SLOW } from './floods.ts';

/** The full account's name. */
export const ACCOUNT = 'full';

const HOUR_MS = 3_600_000;
const KiB = 1024;
/** Number of rows in an index chunk. */
const ROWS = 500;
/** Number of attempts before a delivery fails. */
const ATTEMPTS = SETTINGS.TRIFOLD_WEBHOOK_RETRY_SCHEDULE.default.split(',').length;

/** The limits of an account; the full account reaches all of them. */
export const LIMITS = {
  templates: Number(SETTINGS.TRIFOLD_MAX_TEMPLATES.default),
  versions: Number(SETTINGS.TRIFOLD_TEMPLATE_VERSIONS.default),
  keys: Number(SETTINGS.TRIFOLD_MAX_KEYS.default),
  unfinished: Number(SETTINGS.TRIFOLD_MAX_UNFINISHED_DOCUMENTS.default),
  finished: Number(SETTINGS.TRIFOLD_FINISHED_JOBS_PER_ACCOUNT.default),
  endpoints: MAX_ENDPOINTS,
  /** Number of deliveries in each of the three states. */
  deliveries: BOUNDS.accountDeliveries.limit.value,
} as const;

/** A character outside Latin-1: a string that contains it takes two bytes of memory for each character. */
const WIDE = '→';
const wide = (length: number) => WIDE + 'x'.repeat(length - 1);

/** A schema of `count` fields, each about 1.2 KB. */
const schemaOf = (count: number) => ({
  fields: Array.from({ length: count }, (_, index) => ({
    name: `field${index}`,
    type: 'string',
    description: 'd'.repeat(1_100),
  })),
});
/** A template with a schema of about 590 KB. */
export const SCHEMA_TEMPLATE = { name: 'Full', html: '<p>{{a}}</p>', schema: schemaOf(500) };
/** Samples of almost the maximum total size, in two halves. */
export const SAMPLES = ['one', 'other'].map((name) => ({
  name,
  data: { text: 'x'.repeat(BOUNDS.samples.limit.value * 512 - 100) },
}));
/**
 * Number of fields in the schemas of earlier versions. 100 versions and thumbnails of 1,000 templates, with samples,
 * then take up 97% of the account's storage; the requests of the test need the rest.
 */
const EARLIER_FIELDS = 205;
/** Options of the maximum size for a job that counts as one document. */
const OPTIONS = {
  header: { enabled: true, content: `<i>{{a}}</i>${wide(8_000)}` },
  footer: { enabled: true, content: wide(8_000) },
};

/**
 * Creates one object of each kind in the full account, and all endpoints, none of which responds. The finished ones are
 * created first, so that no endpoint is notified of them.
 */
export async function makeOriginals(full: Api, service: ServiceProcess) {
  const { kubernetes } = service;
  const { id } = await full.createTemplate(SCHEMA_TEMPLATE);
  const samples = await full.send('PUT', `/v1/templates/${id}/samples`, { body: { samples: SAMPLES } });
  expect(samples.status, samples.text).toBe(200);
  const idOf = async (path: string, body: object, status: number) => {
    const response = await full.post(path, body);
    expect(response.status, response.text).toBe(status);
    return response.json<{ id: string }>().id;
  };
  const html = '<p>Finished</p>';
  const finishedId = await idOf('/v1/generate', { template: { html }, data: {} }, 200);
  const batchId = await idOf(
    '/v1/generate/batch',
    { template: { html }, format: 'pdf', items: [{ data: {} }] },
    202,
  );
  const batch = await eventually(async () => {
    const found = await kubernetes.resource(BATCH).get(ACCOUNT, batchId);
    expect(batchRowOf(found)).toBeDefined();
    return found;
  });
  const name = wide(200);
  const keyId = await idOf('/v1/api-keys', { name, description: wide(2_000) }, 201);
  const url = `https://receiver.invalid/${'x'.repeat(MAX_ENDPOINT_URL_LENGTH - 25)}`;
  await idOf('/v1/webhooks/settings', { url }, 201);
  for (let count = 1; count < LIMITS.endpoints; count += 1)
    await idOf('/v1/hooks', { source: 'make', url }, 201);
  const { html: slow, css, data: loops } = SLOW;
  const data = { ...loops, b: wide(7_000) };
  const jobId = await idOf(
    '/v1/generate',
    { template: { html: slow, css }, data, options: OPTIONS, async: true },
    202,
  );
  const { items: endpoints } = await kubernetes.resource(WEBHOOK_ENDPOINT).list({ namespace: ACCOUNT });
  const jobs = kubernetes.resource(GENERATION_JOB);
  return {
    template: await kubernetes.resource(TEMPLATE).get(ACCOUNT, id),
    key: await kubernetes.resource(API_KEY).get(ACCOUNT, keyId),
    finished: await jobs.get(ACCOUNT, finishedId),
    job: await jobs.get(ACCOUNT, jobId),
    batch,
    deliveries: deliveriesTo(endpoints),
  };
}

type Originals = Awaited<ReturnType<typeof makeOriginals>>;

/** Returns a delivery to each endpoint in every state, with responses of the maximum stored length. */
function deliveriesTo(endpoints: readonly WebhookEndpoint[]): WebhookDelivery[] {
  const createdAt = systemClock.now();
  const at = createdAt.toISOString();
  const error = { code: 'http_error', message: 'x'.repeat(KiB) };
  const answer = 'x'.repeat(MAX_RESPONSE_LENGTH);
  const attempt = { deliveryId: newId('dlv', createdAt), at, durationMs: 1, status: 500, error, answer };
  const nextAttemptAt = new Date(createdAt.getTime() + HOUR_MS).toISOString();
  const failed = { attemptCount: 1, attempts: [attempt], lastStatus: 500, lastError: error };
  const statuses = [
    { ...failed, phase: 'Pending', nextAttemptAt },
    { phase: 'Delivered', attemptCount: 1, attempts: [attempt], lastStatus: 200, finishedAt: at },
    { ...failed, phase: 'Failed', attempts: Array.from({ length: ATTEMPTS }, () => attempt), finishedAt: at },
  ] satisfies WebhookDelivery['status'][];
  const data = { status: 'failed', template_id: 'x', status_url: '', created_at: at, error } as const;
  return endpoints.flatMap(({ metadata: { name, uid, namespace = '' } }) => {
    const id = newId('evt', createdAt);
    const event = { id, type: 'document.failed', createdAt, data: { ...data, id } } as const;
    const { metadata, spec } = deliveryOf(namespace, event, { endpointRef: { name, uid } });
    const { kind } = WEBHOOK_DELIVERY;
    const created = { uid: '', resourceVersion: '', generation: 1, creationTimestamp: at };
    const delivery = {
      apiVersion: apiVersionOf(WEBHOOK_DELIVERY),
      kind,
      metadata: { ...metadata, ...created },
      spec,
    };
    return statuses.map((status) => ({ ...delivery, status }));
  });
}

/**
 * Fills the account of a stopped service to its limits, except for `missing` templates. Returns the uids of the
 * templates.
 */
export async function fillAccount(data: string, originals: Originals, missing: number): Promise<string[]> {
  const { template, key, finished, batch, job, deliveries } = originals;
  await recordVersions(data, template);
  const uids = copyObjects(data, {
    kind: TEMPLATE,
    originals: [template],
    count: LIMITS.templates - missing,
    change: latestVersion,
  });
  linkHistories(data, ACCOUNT, template.metadata.uid, uids);
  // The account has another key, with which it was created.
  copyObjects(data, { kind: API_KEY, originals: [key], count: LIMITS.keys - 2, change: withOtherKey });
  copyObjects(data, { kind: GENERATION_JOB, originals: [finished], count: LIMITS.finished - 1 });
  copyObjects(data, { kind: GENERATION_JOB, originals: [job], count: LIMITS.unfinished - 1 });
  copyObjects(data, { kind: WEBHOOK_DELIVERY, originals: deliveries, count: 3 * LIMITS.deliveries });
  await fillIndex(data, 'documents', documentRowOf(finished)!);
  await fillIndex(data, 'batches', batchRowOf(batch)!);
  return uids;
}

/** Stores as many versions as are kept, each with a thumbnail of the maximum size. */
async function recordVersions(data: string, template: Template): Promise<void> {
  const store = storeOf(data);
  const history = new TemplateHistory(store);
  const { html = '' } = template.spec;
  const { uid } = template.metadata;
  const spec = { ...template.spec, schema: schemaOf(EARLIER_FIELDS) } as Template['spec'];
  const thumbnail = Buffer.alloc(BOUNDS.thumbnails.limit.value * KiB);
  for (let generation = 1; generation <= LIMITS.versions; generation += 1) {
    const version = { ...template, spec, metadata: { ...template.metadata, generation } };
    await history.record({ template: version, source: { html } }, systemClock.now());
    await store.put(templateThumbnailKey(ACCOUNT, uid, generation), thumbnail, { contentType: 'image/png' });
  }
}

/** Returns a copy whose latest version is the last one in its history. It has separate samples. */
function latestVersion(copy: Template, { metadata: { uid } }: Template): Template {
  const generation = LIMITS.versions;
  const annotations = JSON.parse(
    JSON.stringify(copy.metadata.annotations).replaceAll(uid, copy.metadata.uid),
  ) as Record<string, string>;
  const conditions =
    copy.status?.conditions?.map((each) => ({ ...each, observedGeneration: generation })) ?? [];
  const status = { ...copy.status, observedGeneration: generation, version: generation, conditions };
  return { ...copy, metadata: { ...copy.metadata, generation, annotations }, status };
}

function withOtherKey(copy: ApiKey): ApiKey {
  const sha256 = createHash('sha256').update(copy.metadata.uid).digest('hex');
  return { ...copy, spec: { ...copy.spec, sha256 } };
}

/** Adds rows of deleted work until a list reads no more of them. */
async function fillIndex(data: string, list: IndexList, row: object): Promise<void> {
  const index = new WorkIndex(storeOf(data));
  const prefix = list === 'documents' ? 'gen' : 'bat';
  for (let left: number = BOUNDS.listedWork.limit.value; left > 0;) {
    const now = systemClock.now();
    const createdAt = now.toISOString();
    const rows = Array.from({ length: ROWS }, () => ({ ...row, id: newId(prefix, now), createdAt }));
    await index.add(ACCOUNT, list, rows, now);
    left -= ROWS * JSON.stringify(rows[0]).length;
  }
}
