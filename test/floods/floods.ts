import type { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { DEEP_BLOCKS } from '../support/hostile-templates.ts';
import type { RawRequest } from './unread-connection.ts';

/** One account's requests that exceed a bound. */
export interface Flood {
  /** Creates everything that the requests need. Each request gets a connection, and no response is read to the end. */
  readonly requests: (api: Api) => Promise<readonly RawRequest[]>;
  /** Response to at least one of the requests; `waits` if some of them wait for a slot instead of failing. */
  readonly beyond: `${number} ${string}` | 'waits';
}

/** Path, relative to the repository, of the test that exhausts a bound for which requests alone are not enough. */
export interface OwnedBy {
  readonly ownedBy: string;
}

/** Small bounds, so that a flood takes seconds. */
export const SETTINGS = {
  TRIFOLD_BROWSERS: '1',
  TRIFOLD_MAX_BODY: '1Mi',
  // Half of it per key.
  TRIFOLD_BODY_BUDGET: '8Mi',
  TRIFOLD_MAX_BATCH_BODY: '1Mi',
  TRIFOLD_MAX_UNFINISHED_DOCUMENTS: '8',
  TRIFOLD_MAX_TEMPLATES: '24',
  TRIFOLD_MAX_KEYS: '12',
  // This is longer than the whole flood, so the result depends on the order, not on the speed of the machine.
  TRIFOLD_SYNC_WAIT: '5m',
};

export const CONSTANTS = { emailWorkers: 1, emailTimeoutMs: 20_000 };

/** Shows a block n² times, where n is the length of `a`. */
const squared = (block: string) => `{{#each a}}{{#each ../a}}${block}{{/each}}{{/each}}`;
const numbers = (length: number) => ({ a: Array.from({ length }, (_, index) => index) });

/** Takes the browser seconds. */
export const SLOW = {
  html: squared('<p>x</p>'),
  css: 'p:has(+ p + p):has(~ p) { color: red }',
  data: numbers(170),
};
/** Takes the merge process seconds. */
const LONG_LOOP = squared('{{#each ../../a}}{{/each}}');
const KIB = 1024;

const post = (path: string, body: object) =>
  ({ method: 'POST', path, body: JSON.stringify(body) }) satisfies RawRequest;
const times = (count: number, request: (index: number) => RawRequest) =>
  Array.from({ length: count }, (_, index) => request(index));

/** Sends the same document again and again. */
async function documents(api: Api, more: object, count = 8): Promise<RawRequest[]> {
  const { html, css, data } = SLOW;
  const { id } = await api.createTemplate({ html, css });
  return times(count, () => post('/v1/generate', { template_id: id, data, ...more }));
}

export const FLOODS: Readonly<Record<keyof typeof BOUNDS, Flood | OwnedBy>> = {
  requestBodies: {
    beyond: '429 too_many_uploads',
    requests: async () =>
      times(8, () => ({ method: 'POST', path: '/v1/templates', body: '{', announcedBytes: 1000 * KIB })),
  },
  bodyChunks: {
    beyond: '400 invalid_request',
    requests: async () =>
      times(4, () => ({
        method: 'POST',
        path: '/v1/templates',
        headers: { 'Transfer-Encoding': 'chunked' },
        body: '1\r\n[\r\n'.repeat(12_000),
      })),
  },
  downloads: {
    beyond: '429 too_many_downloads',
    requests: async (api) => {
      const { id } = await api.createTemplate({ html: squared('x'.repeat(1000)) });
      const made = await api.post('/v1/generate', { template_id: id, data: numbers(100), format: 'html' });
      expect(made.status, made.text).toBe(200);
      const { file_url: path } = made.json<{ file_url: string }>();
      return times(12, () => ({ method: 'GET', path }));
    },
  },
  previews: {
    beyond: '429 too_many_previews',
    requests: async () => times(6, () => post('/v1/templates/preview', SLOW)),
  },
  unfinishedDocuments: {
    beyond: '429 too_many_jobs',
    requests: async (api) => documents(api, { async: true }, 10),
  },
  templates: {
    beyond: '409 too_many_templates',
    requests: async () => times(30, () => post('/v1/templates', { name: 'Flood', html: 'x' })),
  },
  keys: {
    beyond: '409 too_many_api_keys',
    requests: async () => times(16, () => post('/v1/api-keys', { name: 'Flood' })),
  },
  endpoints: {
    beyond: '409 too_many_hooks',
    requests: async () =>
      times(60, () => post('/v1/hooks', { source: 'make', url: 'https://receiver.invalid/' })),
  },
  tasks: { beyond: 'waits', requests: async (api) => documents(api, {}) },
  prints: { beyond: 'waits', requests: async (api) => documents(api, {}) },
  pictures: { beyond: 'waits', requests: async (api) => documents(api, { format: 'png' }) },
  compositions: { beyond: 'waits', requests: async (api) => documents(api, { format: 'docx' }) },
  merges: {
    beyond: 'waits',
    requests: async (api) => {
      const { id } = await api.createTemplate({ html: LONG_LOOP });
      return times(6, () => post('/v1/generate', { template_id: id, data: numbers(250) }));
    },
  },
  checks: {
    beyond: 'waits',
    requests: async () => times(8, () => post('/v1/templates/preview', { html: DEEP_BLOCKS, data: {} })),
  },
  emails: {
    beyond: 'waits',
    requests: async () => {
      const template = { engine: 'handlebars-html', subject: 'x', html: LONG_LOOP };
      return times(6, () => post('/v1/emails/compile', { template, data: numbers(250) }));
    },
  },
  webhookTests: { ownedBy: 'api-gateway/webhooks/settings/webhook-settings.test.ts' },
  followedDocuments: { ownedBy: 'api-gateway/work/documents/job-waiters.test.ts' },
  listedWork: { ownedBy: 'api-gateway/work/lists/archived-rows.test.ts' },
  compiledTemplates: { ownedBy: 'renderer/merge/template-merger.test.ts' },
  compiledSchemas: { ownedBy: 'platform/templating/schema/data-schema.test.ts' },
  compiledEmails: { ownedBy: 'api-gateway/emails/email-template-compiler.test.ts' },
  listedUnfinished: { ownedBy: 'api-gateway/work/lists/document-list.test.ts' },
  listedDeliveries: { ownedBy: 'api-gateway/webhooks/deliveries/delivery-log.test.ts' },
  cachedRevisions: { ownedBy: 'renderer/task/revision-cache.test.ts' },
  images: { ownedBy: 'renderer/hostile/size-and-time.test.ts' },
  idleConnections: { ownedBy: 'api-gateway/server/http/closing.test.ts' },
  signInExchanges: { ownedBy: 'api-gateway/sessions/oidc/oidc.test.ts' },
  rejectedBodies: { ownedBy: 'api-gateway/server/body/unread-bodies.test.ts' },
  responses: { ownedBy: 'api-gateway/server/responses/unsent-responses.test.ts' },
  responsesWithoutKey: { ownedBy: 'api-gateway/server/responses/unsent-responses.test.ts' },
  reads: { ownedBy: 'api-gateway/server/responses/unread-memory.deep.test.ts' },
  pipelinedRequests: { ownedBy: 'api-gateway/server/http/pipelining.test.ts' },
  uploadRate: { ownedBy: 'api-gateway/server/body/body-budgets.test.ts' },
  readingRate: { ownedBy: 'api-gateway/server/responses/unsent-responses.test.ts' },
  requestHeaders: { ownedBy: 'test/integration/slow-headers.deep.test.ts' },
  unreadResponses: { ownedBy: 'embedded-apiserver/tls/tls-listener.test.ts' },
  queuedEvents: { ownedBy: 'embedded-apiserver/store/watch-stream.test.ts' },
  recentChanges: { ownedBy: 'embedded-apiserver/store/recent-changes.test.ts' },
  stalledReaders: { ownedBy: 'embedded-apiserver/tls/tls-listener.test.ts' },
  apiConnections: { ownedBy: 'embedded-apiserver/tls/tls-listener.test.ts' },
  stalledDownloads: { ownedBy: 'api-gateway/server/responses/downloads.test.ts' },
  cachedTemplates: { ownedBy: 'controller/caches.test.ts' },
  cachedDeliveries: { ownedBy: 'controller/caches.test.ts' },
  cachedWork: { ownedBy: 'controller/caches.test.ts' },
  queuedDocuments: { ownedBy: 'controller/work/dispatch-window.test.ts' },
  dispatchedDocuments: { ownedBy: 'controller/work/dispatch-window.test.ts' },
  cachedFinishedWork: { ownedBy: 'controller/caches.test.ts' },
  cachedEndpoints: { ownedBy: 'controller/caches.test.ts' },
  awaitedDocuments: { ownedBy: 'api-gateway/work/lists/document-list.test.ts' },
  preparedTemplates: { ownedBy: 'api-gateway/templates/prepared-templates.test.ts' },
  listedTemplates: { ownedBy: 'api-gateway/templates/template-cache.test.ts' },
  cachedKeys: { ownedBy: 'api-gateway/server/auth/authentication.test.ts' },
  requestLog: { ownedBy: 'api-gateway/requests/request-log.test.ts' },
  requestLogReads: { ownedBy: 'api-gateway/requests/request-log.test.ts' },
  requestLogReaders: { ownedBy: 'api-gateway/requests/request-log.test.ts' },
  attachments: { ownedBy: 'api-gateway/work/documents/attachments.test.ts' },
  eInvoices: { ownedBy: 'platform/templating/checking/created-e-invoices.test.ts' },
  samples: { ownedBy: 'api-gateway/templates/template-samples.test.ts' },
  thumbnails: { ownedBy: 'api-gateway/previews/previews.test.ts' },
  pendingDeliveries: { ownedBy: 'test/webhooks/spool.test.ts' },
  deliveredDeliveries: { ownedBy: 'controller/webhooks/delivery/log-limit.test.ts' },
  failedDeliveries: { ownedBy: 'controller/webhooks/delivery/log-limit.test.ts' },
  accountDeliveries: { ownedBy: 'controller/webhooks/delivery/log-limit.test.ts' },
  finishedWork: { ownedBy: 'controller/finished-work/finished-work-limit.test.ts' },
  keptWork: { ownedBy: 'controller/finished-work/finished-work-limit.test.ts' },
  templateVersions: { ownedBy: 'controller/templates/template-history-reconciler.test.ts' },
  storedBytes: { ownedBy: 'test/standalone/storage-quota.deep.test.ts' },
  clusterPreviews: { ownedBy: 'platform/previews/http/http-previews.test.ts' },
  renderedPreviews: { ownedBy: 'renderer/task/previews.test.ts' },
};
