import type { SettingType } from './setting-types.ts';

/**
 * A setting, declared once for all processes. `readSettings` parses and types its value; `npm run generate` writes
 * docs/configuration.md, and, for a setting with a `chart`, its chart value, JSON schema and environment variable.
 */
export interface Setting {
  readonly type: SettingType<unknown>;
  /** Value of an unset variable, as a user would write it. */
  readonly default?: string;
  /** Value of an unset variable that depends on the machine or that cannot be written in a variable. */
  readonly fallback?: unknown;
  /**
   * Makes the variable mandatory; describes what it is. Without this, `default` and `fallback`, an unset variable is
   * `undefined`.
   */
  readonly required?: string;
  /** Docs text for an unset variable without a `default`. @default `none`, or `required` */
  readonly shown?: string;
  /** Whether it is one of the most-used settings, which the docs list first. */
  readonly common?: true;
  /** Markdown: whole sentences. Also the comment on the chart value. */
  readonly doc: string;
  /** Markdown: an example of a setting with several values, separated by commas in a variable. */
  readonly list?: string;
  readonly chart?: ChartSetting;
  /** Chart value from which a chart template computes the variable. Only the docs use it. */
  readonly computedFrom?: string;
}

/** A chart value that sets a variable. */
export interface ChartSetting {
  /** Path in values.yaml, for example `gateway.config.maxBody`. */
  readonly value: string;
  /** @default the setting's default; empty if it has none */
  readonly default?: string | number;
  /** Templates `trifold.settings.…` that write the variable. @default the first part of the path */
  readonly in?: readonly string[];
  /** Further sentences of the description that concern only the chart. */
  readonly note?: string;
}

/** Settings by name. */
export type Settings = Readonly<Record<`TRIFOLD_${string}`, Setting>>;
