import { MOST_ENDPOINTS } from '@trifold/crds/limits.ts';
import type { SettingName } from './settings.ts';

/**
 * What one account can make a service hold on its behalf, and how much of it. Code that enforces a bound takes its
 * number from here. `npm run generate` writes the table in docs/threat-model.md, and `test/floods/` exhausts each bound from
 * one account while another one works.
 */
export interface Bound {
  readonly holds: 'memory' | 'slots' | 'connections' | 'disk' | 'time';
  /** Part of the service that holds it. */
  readonly in: 'gateway' | 'controller' | 'renderer' | 'standalone service' | 'API server' | 'object store';
  /** Markdown: what is held, as a noun phrase. */
  readonly what: string;
  /** For whom it is held: `limit` applies to each of them. */
  readonly per:
    | 'key'
    | 'account'
    | 'connection'
    | 'request'
    | 'document'
    | 'template'
    | 'template version'
    | 'delivery'
    | 'endpoint'
    | 'gateway'
    | 'server';
  readonly limit: BoundValue;
  /** Limit for all of them together. */
  readonly total?: BoundValue;
  /** Markdown: what happens beyond the limit, for example a status and a code. */
  readonly beyond: string;
}

/** A setting, or a number with its unit, for example `{ value: 8, unit: 'downloads' }`. */
export type BoundValue =
  | { readonly setting: SettingName }
  | { readonly value: number; readonly unit: string };

const ONE_SPARE = 'Further work waits; one spare for accounts that use none';

export const BOUNDS = {
  requestBodies: {
    holds: 'memory',
    in: 'gateway',
    what: 'Bodies of in-flight requests',
    per: 'key',
    limit: { value: 50, unit: 'percent of the total' },
    total: { setting: 'TRIFOLD_BODY_BUDGET' },
    beyond: '429 `too_many_uploads`; 503 `unavailable` beyond the total',
  },
  bodyChunks: {
    holds: 'time',
    in: 'gateway',
    what: 'Body chunks',
    per: 'request',
    limit: { value: 10_000, unit: 'chunks, plus one for every 64 bytes' },
    beyond: '400 `invalid_request`',
  },
  rejectedBodies: {
    holds: 'time',
    in: 'gateway',
    what: 'Body bytes that arrive after the response, for at most 2 s and 10,000 chunks',
    per: 'connection',
    limit: { value: 1024 * 1024, unit: 'bytes' },
    beyond: 'the connection is closed',
  },
  responses: {
    holds: 'memory',
    in: 'gateway',
    what: 'Unsent response bytes',
    per: 'key',
    limit: { value: 64 * 1024 * 1024, unit: 'bytes' },
    total: { value: 128 * 1024 * 1024, unit: 'bytes' },
    beyond:
      '429 `too_many_downloads`; 503 `unavailable` beyond the total; small responses: the connection is closed',
  },
  responsesWithoutKey: {
    holds: 'memory',
    in: 'gateway',
    what: 'Unsent response bytes, for requests without a key',
    per: 'connection',
    limit: { value: 8 * 1024 * 1024, unit: 'bytes' },
    total: { value: 64 * 1024 * 1024, unit: 'bytes' },
    beyond: 'as with a key',
  },
  reads: {
    holds: 'memory',
    in: 'gateway',
    what: 'GET requests whose response is being prepared',
    per: 'key',
    limit: { value: 16, unit: 'requests' },
    beyond: 'further requests wait',
  },
  pipelinedRequests: {
    holds: 'memory',
    in: 'gateway',
    what: 'Requests awaiting a response',
    per: 'connection',
    limit: { value: 32, unit: 'requests' },
    beyond: 'the connection is closed',
  },
  readingRate: {
    holds: 'memory',
    in: 'gateway',
    what: 'Rate at which the client reads a response held in memory, after 10 s',
    per: 'connection',
    limit: { value: 32, unit: 'KiB per second at least' },
    beyond: 'the connection is closed',
  },
  downloads: {
    holds: 'connections',
    in: 'gateway',
    what: 'Concurrent downloads from the object store',
    per: 'key',
    limit: { value: 8, unit: 'downloads' },
    beyond: '429 `too_many_downloads` after a wait of 2 s',
  },
  stalledDownloads: {
    holds: 'connections',
    in: 'gateway',
    what: 'Time for which a client stops reading a download',
    per: 'connection',
    limit: { value: 60, unit: 'seconds' },
    beyond: 'the connection is closed',
  },
  requestHeaders: {
    holds: 'connections',
    in: 'gateway',
    what: 'Time in which the headers of a request arrive; the same for probes, metrics and the embedded API server',
    per: 'connection',
    limit: { value: 15, unit: 'seconds' },
    beyond: '408 `request_timeout`; the connection is closed',
  },
  previews: {
    holds: 'slots',
    in: 'gateway',
    what: 'Previews in progress',
    per: 'account',
    limit: { value: 4, unit: 'previews' },
    beyond: '429 `too_many_previews`',
  },
  unfinishedDocuments: {
    holds: 'slots',
    in: 'gateway',
    what: 'Unfinished documents, including batch items; options count as one for every 16 KiB',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_UNFINISHED_DOCUMENTS' },
    beyond: '429 `too_many_jobs`',
  },
  followedDocuments: {
    holds: 'connections',
    in: 'gateway',
    what: 'Watches of documents for which repeated requests with an Idempotency-Key wait',
    per: 'account',
    limit: { value: 32, unit: 'documents' },
    beyond: '202 `processing` without a wait',
  },
  listedWork: {
    holds: 'memory',
    in: 'gateway',
    what: 'Rows of finished documents and batches in lists, as JSON, each',
    per: 'account',
    limit: { value: 128 * 1024 * 1024, unit: 'bytes' },
    beyond: 'Older ones are not listed',
  },
  signInExchanges: {
    holds: 'connections',
    in: 'gateway',
    what: 'Sign-ins waiting for the identity provider',
    per: 'gateway',
    limit: { value: 16, unit: 'sign-ins' },
    beyond: '503 with `Retry-After`; the sign-in page shows the reason',
  },
  listPages: {
    holds: 'memory',
    in: 'API server',
    what: 'Page of a list with a limit, in the embedded API server; one larger object is a page',
    per: 'request',
    limit: { value: 2 * 1024 * 1024, unit: 'bytes' },
    beyond: 'The page ends early, with a `continue` token',
  },
  unreadResponses: {
    holds: 'memory',
    in: 'API server',
    what: 'Unread bytes of responses and watches, in the embedded API server; in total, also the rest of the current object',
    per: 'connection',
    limit: { value: 64 * 1024, unit: 'bytes' },
    total: { value: 32 * 1024 * 1024, unit: 'bytes' },
    beyond: 'The slowest watch gets 410 `Expired`; the connection of the slowest other response is closed',
  },
  queuedEvents: {
    holds: 'memory',
    in: 'API server',
    what: 'Queued events of a watch, without their objects, in the embedded API server',
    per: 'connection',
    limit: { value: 1000, unit: 'events' },
    beyond: 'They are read from the file again',
  },
  recentChanges: {
    holds: 'memory',
    in: 'API server',
    what: 'Latest changes that watches share, in the embedded API server',
    per: 'server',
    limit: { value: 4 * 1024 * 1024, unit: 'bytes' },
    beyond: 'They are read from the file again',
  },
  stalledReaders: {
    holds: 'connections',
    in: 'API server',
    what: 'Time for which a client stops reading a response of the embedded API server',
    per: 'connection',
    limit: { value: 60, unit: 'seconds' },
    beyond: 'the connection is closed',
  },
  apiConnections: {
    holds: 'connections',
    in: 'API server',
    what: 'Connections to the embedded API server',
    per: 'server',
    limit: { value: 512, unit: 'connections' },
    beyond: 'the connection is closed',
  },
  // A browser takes up to eight bytes for each pixel of an image. 200 megapixels are 16 photos of a phone.
  images: {
    holds: 'memory',
    in: 'renderer',
    what: 'Image pixels, embedded as base64 or loaded from allowed hosts',
    per: 'document',
    limit: { value: 200, unit: 'megapixels' },
    beyond: 'The document fails with `image_too_large`',
  },
  templates: {
    holds: 'disk',
    in: 'API server',
    what: 'Templates',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_TEMPLATES' },
    beyond: '409 `too_many_templates`',
  },
  // Caches drop what they do not need; the tests cache the largest objects that the API server accepts.
  cachedTemplates: {
    holds: 'memory',
    in: 'controller',
    what: 'Cached template, without its content and annotations',
    per: 'template',
    limit: { value: 2 * 1024, unit: 'bytes' },
    beyond: 'The number of templates is limited',
  },
  cachedDeliveries: {
    holds: 'memory',
    in: 'controller',
    what: 'Cached delivery, without payload, attempts and annotations',
    per: 'delivery',
    limit: { value: 2 * 1024, unit: 'bytes' },
    beyond: 'The number of deliveries is limited',
  },
  cachedWork: {
    holds: 'memory',
    in: 'controller',
    what: 'Cached unfinished document, with its options and up to 8 KiB of data',
    per: 'document',
    limit: { value: 64 * 1024, unit: 'bytes' },
    beyond: 'The number of unfinished documents is limited',
  },
  listedTemplates: {
    holds: 'memory',
    in: 'gateway',
    what: 'List entry of a template',
    per: 'template',
    limit: { value: 8 * 1024, unit: 'bytes' },
    beyond: 'The number of templates is limited',
  },
  cachedKeys: {
    holds: 'memory',
    in: 'gateway',
    what: 'Cached API key',
    per: 'key',
    limit: { value: 2 * 1024, unit: 'bytes' },
    beyond: 'The number of keys is limited',
  },
  samples: {
    holds: 'disk',
    in: 'object store',
    what: 'Sample data as JSON, at most half of it in one sample',
    per: 'template',
    limit: { value: 2048, unit: 'KiB' },
    beyond: '400 `invalid_request`',
  },
  thumbnails: {
    holds: 'disk',
    in: 'object store',
    what: 'Thumbnail',
    per: 'template version',
    limit: { value: 256, unit: 'KiB' },
    beyond: 'Rendered for each request instead of stored',
  },
  keys: {
    holds: 'disk',
    in: 'API server',
    what: 'API keys',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_KEYS' },
    beyond: '409 `too_many_api_keys`',
  },
  endpoints: {
    holds: 'disk',
    in: 'API server',
    what: 'Webhook and hooks together',
    per: 'account',
    limit: { value: MOST_ENDPOINTS, unit: 'endpoints' },
    beyond: '409 `too_many_hooks`',
  },
  pendingDeliveries: {
    holds: 'disk',
    in: 'API server',
    what: 'Pending deliveries',
    per: 'endpoint',
    limit: { value: 5_000, unit: 'deliveries' },
    beyond: 'They wait in the object store',
  },
  deliveredDeliveries: {
    holds: 'disk',
    in: 'API server',
    what: 'Delivered events in the log',
    per: 'endpoint',
    limit: { value: 1_000, unit: 'deliveries' },
    beyond: 'The oldest are deleted',
  },
  failedDeliveries: {
    holds: 'disk',
    in: 'API server',
    what: 'Failed deliveries in the log',
    per: 'endpoint',
    limit: { value: 5_000, unit: 'deliveries' },
    beyond: 'The oldest are deleted',
  },
  accountDeliveries: {
    holds: 'memory',
    in: 'controller',
    what: 'Pending, delivered and failed deliveries of all endpoints and callbacks, each',
    per: 'account',
    limit: { value: 10_000, unit: 'deliveries' },
    beyond:
      'Pending ones wait in the object store, except 100 for each endpoint; of the others, the oldest are deleted',
  },
  finishedWork: {
    holds: 'disk',
    in: 'API server',
    what: 'Finished jobs and batches',
    per: 'account',
    limit: { setting: 'TRIFOLD_FINISHED_JOBS_PER_ACCOUNT' },
    total: { setting: 'TRIFOLD_FINISHED_JOBS' },
    beyond: 'The oldest are deleted early',
  },
  keptWork: {
    holds: 'disk',
    in: 'API server',
    what: 'Finished jobs that are never deleted early',
    per: 'account',
    limit: { value: 5_000, unit: 'jobs' },
    beyond: 'Further jobs fail with `too_many_kept`',
  },
  templateVersions: {
    holds: 'disk',
    in: 'object store',
    what: 'Stored versions',
    per: 'template',
    limit: { setting: 'TRIFOLD_TEMPLATE_VERSIONS' },
    beyond: 'The oldest are deleted',
  },
  storedBytes: {
    holds: 'disk',
    in: 'object store',
    what: 'Total size of all objects',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_STORED_BYTES' },
    beyond: '507 `storage_full`, after a delay of a few minutes',
  },
  cachedRevisions: {
    holds: 'memory',
    in: 'renderer',
    what: 'Cached contents of template versions, of all accounts together',
    per: 'account',
    limit: { value: 64 * 1024 * 1024, unit: 'bytes' },
    beyond: 'The least recently used are dropped',
  },
  tasks: {
    holds: 'slots',
    in: 'renderer',
    what: 'Documents in progress: twice the number of browsers, plus one interactive document',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS' },
    beyond: ONE_SPARE,
  },
  prints: {
    holds: 'slots',
    in: 'renderer',
    what: 'Browsers that print documents',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS' },
    beyond: ONE_SPARE,
  },
  pictures: {
    holds: 'slots',
    in: 'renderer',
    what: 'Browsers for images and DOCX',
    per: 'account',
    limit: { value: 1, unit: 'browser' },
    beyond: ONE_SPARE,
  },
  merges: {
    holds: 'slots',
    in: 'renderer',
    what: 'Processes that merge templates with data',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS' },
    beyond: ONE_SPARE,
  },
  compositions: {
    holds: 'slots',
    in: 'renderer',
    what: 'Processes that compose DOCX files',
    per: 'account',
    limit: { value: 1, unit: 'process' },
    beyond: ONE_SPARE,
  },
  clusterPreviews: {
    holds: 'slots',
    in: 'renderer',
    what: 'Previews in a cluster renderer',
    per: 'account',
    limit: { value: 1, unit: 'preview' },
    beyond: 'Tries other renderers, then 503 `unavailable`; one spare for accounts that have none there',
  },
  renderedPreviews: {
    holds: 'slots',
    in: 'standalone service',
    what: 'Previews in the renderer',
    per: 'account',
    limit: { value: 16, unit: 'previews' },
    beyond: '503 `unavailable`; one spare for accounts that have none',
  },
  checks: {
    holds: 'slots',
    in: 'gateway',
    what: 'Processes that parse large bodies and check templates and data; the controller has as many',
    per: 'account',
    limit: { value: 2, unit: 'processes' },
    beyond: ONE_SPARE,
  },
  emails: {
    holds: 'slots',
    in: 'gateway',
    what: 'Processes that compile emails',
    per: 'account',
    limit: { setting: 'TRIFOLD_EMAIL_WORKERS' },
    beyond: ONE_SPARE,
  },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof BOUNDS;
