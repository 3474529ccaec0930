import type { SettingName } from '../settings/settings.ts';

/** Something a service holds on behalf of an account, and its limit. */
export interface Bound {
  readonly holds: 'memory' | 'slots' | 'connections' | 'disk' | 'time';
  /** Component that holds it. */
  readonly in:
    | 'gateway'
    | 'controller'
    | 'renderer'
    | 'standalone service'
    | 'queue'
    | 'API server'
    | 'object store';
  /** Markdown: a noun phrase for what is held. */
  readonly what: string;
  /** Owner; `limit` applies to each one separately. */
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
    | 'process'
    | 'queue'
    | 'server';
  readonly limit: BoundValue;
  /** Combined limit for all owners. */
  readonly total?: BoundValue;
  /** Markdown: what happens beyond the limit, for example a status and a code. */
  readonly beyond: string;
}

/** A setting, or a number with its unit, for example `{ value: 8, unit: 'downloads' }`. */
export type BoundValue =
  | {
      readonly setting: SettingName;
      /** Markdown: the limit, if it is not the setting's value. */
      readonly shown?: string;
    }
  | { readonly value: number; readonly unit: string };

/** `beyond` for pools that share out their slots (ADR 42). */
export const ONE_SPARE = 'Further work waits; accounts that use no slot can use one spare slot';
