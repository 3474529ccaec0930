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

const ONE_SPARE = 'Waits; one more for an account that uses none';

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
  tasks: {
    holds: 'slots',
    in: 'renderer',
    what: 'Documents in progress: twice as many as browsers, and an interactive one',
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
    what: 'Browsers for PNG and DOCX',
    per: 'account',
    limit: { value: 1, unit: 'browser' },
    beyond: ONE_SPARE,
  },
  merges: {
    holds: 'slots',
    in: 'renderer',
    what: 'Processes that merge templates with data',
    per: 'account',
    limit: { setting: 'TRIFOLD_MERGE_WORKERS' },
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
    what: 'Previews in a renderer of a cluster',
    per: 'account',
    limit: { value: 1, unit: 'preview' },
    beyond: 'Other renderers, then 503 `unavailable`; one more for an account that has none there',
  },
  renderedPreviews: {
    holds: 'slots',
    in: 'standalone service',
    what: 'Previews in the renderer',
    per: 'account',
    limit: { value: 16, unit: 'previews' },
    beyond: '503 `unavailable`; one more for an account that has none',
  },
  checks: {
    holds: 'slots',
    in: 'gateway',
    what: 'Processes that parse large bodies and check templates and data; the same in the controller',
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
