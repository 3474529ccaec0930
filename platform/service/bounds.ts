import type { SettingName } from './settings.ts';

/**
 * What one account can make a service hold on its behalf, and how much of it. Code that enforces a bound takes its
 * number from here. `npm run generate` writes the table in docs/security.md, and `test/floods/` exhausts each bound from
 * one account while another one works.
 */
export interface Bound {
  readonly holds: 'memory' | 'slots' | 'connections' | 'disk' | 'time';
  /** Part of the service that holds it. */
  readonly in: 'gateway' | 'controller' | 'renderer' | 'standalone service';
  /** Markdown: what is held, as a noun phrase. */
  readonly what: string;
  /** For whom it is held: `limit` applies to each of them. */
  readonly per: 'key' | 'account' | 'connection' | 'request' | 'document';
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

export const BOUNDS = {
  requestBodies: {
    holds: 'memory',
    in: 'gateway',
    what: 'Bodies of requests in flight',
    per: 'key',
    limit: { setting: 'TRIFOLD_KEY_BODY_BUDGET' },
    total: { setting: 'TRIFOLD_BODY_BUDGET' },
    beyond: '429 `too_many_uploads`; 503 `unavailable` beyond the total',
  },
  bodyChunks: {
    holds: 'time',
    in: 'gateway',
    what: 'Chunks of a body',
    per: 'request',
    limit: { value: 10_000, unit: 'chunks, and one for each 64 bytes' },
    beyond: '400 `invalid_request`',
  },
  rejectedBodies: {
    holds: 'time',
    in: 'gateway',
    what: 'Bytes of a body that arrive after the response, for at most 2 s and 10,000 chunks',
    per: 'connection',
    limit: { value: 1024 * 1024, unit: 'bytes' },
    beyond: 'the connection is closed',
  },
  responses: {
    holds: 'memory',
    in: 'gateway',
    what: 'Unsent bytes of responses',
    per: 'key',
    limit: { value: 64 * 1024 * 1024, unit: 'bytes' },
    total: { value: 128 * 1024 * 1024, unit: 'bytes' },
    beyond:
      '429 `too_many_downloads`; 503 `unavailable` beyond the total; small responses: the connection is closed',
  },
  responsesWithoutKey: {
    holds: 'memory',
    in: 'gateway',
    what: 'Unsent bytes of responses to requests without a key',
    per: 'connection',
    limit: { value: 8 * 1024 * 1024, unit: 'bytes' },
    total: { value: 64 * 1024 * 1024, unit: 'bytes' },
    beyond: 'as for those with a key',
  },
  reads: {
    holds: 'memory',
    in: 'gateway',
    what: 'GET requests whose response is being prepared',
    per: 'key',
    limit: { value: 16, unit: 'requests' },
    beyond: 'they wait for each other',
  },
  pipelinedRequests: {
    holds: 'memory',
    in: 'gateway',
    what: 'Unanswered requests',
    per: 'connection',
    limit: { value: 32, unit: 'requests' },
    beyond: 'the connection is closed',
  },
  readingRate: {
    holds: 'memory',
    in: 'gateway',
    what: 'Time to read a response that the gateway holds in memory, after 10 s',
    per: 'connection',
    limit: { value: 32, unit: 'KiB per second at least' },
    beyond: 'the connection is closed',
  },
  downloads: {
    holds: 'connections',
    in: 'gateway',
    what: 'Downloads that stream from the object store',
    per: 'key',
    limit: { value: 8, unit: 'downloads' },
    beyond: '429 `too_many_downloads` after a wait of 2 s',
  },
  stalledDownloads: {
    holds: 'connections',
    in: 'gateway',
    what: 'Time in which the client reads nothing of a download',
    per: 'connection',
    limit: { value: 60, unit: 'seconds' },
    beyond: 'the connection is closed',
  },
  previews: {
    holds: 'slots',
    in: 'gateway',
    what: 'Previews whose response has not ended',
    per: 'account',
    limit: { value: 4, unit: 'previews' },
    beyond: '429 `too_many_previews`',
  },
  unfinishedDocuments: {
    holds: 'slots',
    in: 'gateway',
    what: 'Unfinished documents, including batch items',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_LIVE_JOBS' },
    beyond: '429 `too_many_jobs`',
  },
} as const satisfies Record<string, Bound>;
