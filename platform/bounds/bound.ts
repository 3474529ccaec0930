import type { SettingName } from '../settings/settings.ts';

/** What one account can make a service hold on its behalf, and how much of it. */
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

/** `beyond` of pools that share out their slots (ADR 42). */
export const ONE_SPARE = 'Further work waits; one spare for accounts that use none';
