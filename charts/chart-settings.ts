import { stringify } from 'yaml';
import type { ChartSetting, Setting } from '@trifold/platform/settings/setting.ts';
import { SETTINGS } from '@trifold/platform/settings/settings.ts';
import type { ValueSchema } from '@trifold/platform/settings/setting-types.ts';

interface SettingValue extends ChartSetting {
  readonly variable: string;
  readonly setting: Setting;
}

const VALUES: readonly SettingValue[] = Object.entries<Setting>(SETTINGS).flatMap(([variable, setting]) =>
  setting.chart ? [{ variable, setting, ...setting.chart }] : [],
);

/** The chart's default, as in values.yaml. */
function defaultOf({ setting, default: own = setting.default ?? '' }: SettingValue): unknown {
  const { type } = setting.type.schema;
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (type === 'boolean') return own === 'true';
  return type === 'integer' ? Number(own) : own;
}

/** Line width of comments in values.yaml. */
const WIDTH = 120;
/** A value with its comment. */
const BLOCK = /^(?<comment>(?: *#.*\n)*)(?<indent> *)(?<name>[\w-]+):.*\n/gm;

interface Block {
  readonly path: string;
  readonly indent: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function blocksOf(yaml: string): Block[] {
  let path: { indent: string; name: string }[] = [];
  return [...yaml.matchAll(BLOCK)].map(({ 0: text, index, groups: { indent = '', name = '' } = {} }) => {
    path = [...path.filter((part) => part.indent < indent), { indent, name }];
    const joined = path.map((part) => part.name).join('.');
    return { path: joined, indent, text, start: index, end: index + text.length };
  });
}

/**
 * Writes each setting's value and comment into values.yaml, a new one after the preceding setting of its group. Removes
 * values whose comments name a setting that no longer has a value.
 */
export function withSettingValues(yaml: string): string {
  const former = blocksOf(yaml).filter(
    ({ path, text }) => /\(TRIFOLD_\w+\)/.test(text) && !VALUES.some(({ value }) => value === path),
  );
  let result = former.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), yaml);
  for (const value of VALUES) {
    const { start, end, indent } = placeOf(value, result);
    result = result.slice(0, start) + commented(value, indent) + result.slice(end);
  }
  return result;
}

function placeOf(value: SettingValue, yaml: string): Pick<Block, 'start' | 'end' | 'indent'> {
  const blocks = blocksOf(yaml);
  const found = blocks.find(({ path }) => path === value.value);
  if (found) return found;
  const siblings = VALUES.filter((other) => groupOf(other.value) === groupOf(value.value));
  const blockOf = (other?: SettingValue) => blocks.find(({ path }) => path === other?.value);
  const before = blockOf(siblings[siblings.indexOf(value) - 1]);
  if (before) return { start: before.end, end: before.end, indent: before.indent };
  const after = siblings.map(blockOf).find((block) => block !== undefined);
  if (after) return { start: after.start, end: after.start, indent: after.indent };
  throw new Error(`values.yaml lacks ${value.value}: add the key to its group`);
}

function groupOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

function commented(value: SettingValue, indent: string): string {
  const { variable, setting, note } = value;
  const doc = setting.doc
    .replaceAll(
      /`(TRIFOLD_\w+)`/g,
      (_, name) => `\`${VALUES.find((one) => one.variable === name)?.value ?? name}\``,
    )
    .replace(/\.$/, '');
  const [example] = setting.list?.split(',') ?? [];
  const sentences = [`${doc} (${variable}).`, note, example && `Example: ${example}\`.`];
  const comment = sentences.filter((sentence) => sentence !== undefined).join(' ');
  const text = stringify(defaultOf(value), { singleQuote: true, compat: 'yaml-1.1' });
  return `${wrapped(comment, `${indent}# `)}\n${indent}${value.value.split('.').at(-1)}: ${text}`;
}

function wrapped(text: string, prefix: string): string {
  const lines = [prefix.trimEnd()];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${prefix}${word}`);
  }
  return lines.join('\n');
}

/** The fields of values.schema.json that are generated or read. */
export interface Schema {
  $comment?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  definitions?: Record<string, Schema>;
}

/** Writes the schema of each setting's value into values.schema.json; `$comment` names the setting. */
export function withSettingSchemas(json: string): string {
  const root = JSON.parse(json) as Schema;
  removeSettings(root);
  for (const value of VALUES) {
    const names = value.value.split('.');
    const group = names
      .slice(0, -1)
      .reduce<Schema | undefined>((node, name) => node?.properties?.[name], root);
    if (!group?.properties) throw new Error(`values.schema.json has no group for ${value.value}`);
    group.properties[names.at(-1) ?? ''] = { $comment: value.variable, ...schemaOf(value) };
  }
  return `${inLines(JSON.stringify(root, null, 2))}\n`;
}

function removeSettings({ properties = {} }: Schema): void {
  for (const [name, child] of Object.entries(properties)) {
    if (child.$comment?.startsWith('TRIFOLD_')) delete properties[name];
    else removeSettings(child);
  }
}

/** An empty string is an unset variable. */
function schemaOf(value: SettingValue): object {
  const { schema }: { schema: ValueSchema } = value.setting.type;
  const isOptional = defaultOf(value) === '' && 'pattern' in schema && schema.pattern !== undefined;
  return isOptional ? { ...schema, pattern: `^(${schema.pattern.slice(1, -1)})?$` } : schema;
}

/** Puts short objects and arrays on one line. */
export function inLines(json: string): string {
  return json.replaceAll(/[[{]\n[^[\]{}]*\n *[\]}]/g, (text) => {
    const line = text.replaceAll(/\n */g, ' ');
    return line.length <= 90 ? line : text;
  });
}

/** Templates `trifold.settings.…`, which write their settings' variables into a ConfigMap's data. */
export function settingsTemplate(): string {
  const parts = new Map<string, string[]>();
  for (const value of VALUES) {
    for (const part of value.in ?? value.value.split('.').slice(0, 1)) {
      parts.set(part, [...(parts.get(part) ?? []), `${value.variable}: {{ ${pipelineOf(value)} | quote }}`]);
    }
  }
  const defined = [...parts].map(
    ([part, lines]) => `{{- define "trifold.settings.${part}" -}}\n${lines.join('\n')}\n{{- end -}}\n`,
  );
  const head = '{{/* Generated from platform/settings/settings.ts by `npm run generate`. */}}\n';
  return head + defined.join('\n');
}

function pipelineOf(entry: SettingValue): string {
  const { value, setting } = entry;
  const { type } = setting.type.schema;
  if (type === 'object') return `include "trifold.pairs" .Values.${value}`;
  if (type === 'array') return `join "," .Values.${value}`;
  // Helm reads large numbers as floating-point numbers.
  if (type === 'integer') return `.Values.${value} | int64`;
  // A value that a user sets to null is missing, and would be null in the ConfigMap.
  return defaultOf(entry) === '' ? `.Values.${value} | default ""` : `.Values.${value}`;
}
