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
  readonly per: 'key' | 'account' | 'connection' | 'request' | 'document' | 'gateway';
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
  signInExchanges: {
    holds: 'connections',
    in: 'gateway',
    what: 'Sign-ins that wait for the identity provider',
    per: 'gateway',
    limit: { value: 16, unit: 'sign-ins' },
    beyond: '503 with `Retry-After`; the sign-in page says why',
  },
  // A browser takes up to eight bytes for each pixel of an image. 200 megapixels are 16 photos of a phone.
  images: {
    holds: 'memory',
    in: 'renderer',
    what: 'Pixels of the images of a document, embedded as base64 or loaded from allowed hosts',
    per: 'document',
    limit: { value: 200, unit: 'megapixels' },
    beyond: 'The document fails with `image_too_large`',
  },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof BOUNDS;
