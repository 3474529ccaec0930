import type { SettingType } from './setting-types.ts';

/**
 * A setting of the processes, declared once. `readSettings` parses and types its value; `npm run generate` writes
 * docs/configuration.md, and for a setting with a `chart` its value, JSON schema and environment variable.
 */
export interface Setting {
  readonly type: SettingType<unknown>;
  /** Value of an unset variable, in the form that a user would write. */
  readonly default?: string;
  /** Value of an unset variable that depends on the machine, or that no one can write. */
  readonly fallback?: unknown;
  /** The variable must be set; what it is. Without this, `default` and `fallback`, an unset variable is `undefined`. */
  readonly required?: string;
  /** Text in the docs for an unset variable without a `default`. @default `none`, or `required` */
  readonly shown?: string;
  /** Whether it is among the settings that most users look at, which the docs list first. */
  readonly common?: true;
  /** Markdown: whole sentences. Also the comment of the chart's value. */
  readonly doc: string;
  /** Markdown: an example of a setting with several values, which commas separate in a variable. */
  readonly list?: string;
  readonly chart?: ChartSetting;
  /** Chart value from which a template of the chart computes the variable. Only the docs read it. */
  readonly computedFrom?: string;
}

/** A value of the chart that sets a variable. */
export interface ChartSetting {
  /** Path in values.yaml, for example `gateway.config.maxBody`. */
  readonly value: string;
  /** @default the default of the setting; empty if it has none */
  readonly default?: string | number;
  /** Templates `trifold.settings.…` that write the variable. @default the first part of the path */
  readonly in?: readonly string[];
  /** Further sentences of the comment, which concern the chart alone. */
  readonly note?: string;
}

/** Settings by name. */
export type Settings = Readonly<Record<`TRIFOLD_${string}`, Setting>>;
