import { readFile } from 'node:fs/promises';
import type { Setting } from '@trifold/platform/settings/setting.ts';
import { SETTING_SECTIONS, SETTINGS } from '@trifold/platform/settings/settings.ts';
import { entriesOf, readChartValues, type ChartValue } from '../../charts/values-reference.ts';
import { table, type Row } from '../markdown-table.ts';

/** Groups with many identical values, which share rows. */
const SERVICE = /^(?:gateway|controller|renderer)\./;
const BUNDLED = /^(?:redis|objectStore)\.bundled\./;

function code(text: unknown): string {
  return `\`${typeof text === 'string' ? text : JSON.stringify(text)}\``;
}

/**
 * Returns the tables of the most-used settings, of all other settings, and of the chart values that are not settings.
 * Throws an Error if a setting names a value that the chart lacks.
 */
export async function configurationTables(): Promise<string[]> {
  const values = new URL('../../charts/trifold/values.yaml', import.meta.url);
  const entries = entriesOf(readChartValues(await readFile(values, 'utf8')));
  const paths = new Set(entries.map(({ path }) => path));
  return [settingsTables(true, paths), settingsTables(false, paths), chartValuesTables(entries)];
}

/** Returns a table for each section of the settings, below its heading. */
function settingsTables(isCommon: boolean, paths: ReadonlySet<string>): string {
  return SETTING_SECTIONS.flatMap(({ title, note, settings }) => {
    const shown = Object.entries(settings).filter(([, { common = false }]) => common === isCommon);
    const rows = shown.map(([name, setting]) => settingRow(name, setting, paths));
    if (rows.length === 0) return [];
    const intro = note === '' ? '' : `${note}\n\n`;
    return [`### ${title}\n\n${intro}${table([['Variable, chart value', 'Default', 'Meaning'], ...rows])}`];
  }).join('\n\n');
}

function settingRow(name: string, setting: Setting, paths: ReadonlySet<string>): Row {
  const { doc, list, chart, computedFrom } = setting;
  const path = chart?.value ?? computedFrom;
  if (path !== undefined && !paths.has(path)) throw new Error(`${name}: the chart lacks the value ${path}`);
  const commas = list === undefined ? undefined : `Separate multiple values with commas: ${list}.`;
  const meaning = [doc, commas, chart?.note].filter((sentence) => sentence !== undefined);
  const names = path === undefined ? code(name) : `${code(name)} ${code(path)}`;
  return [names, defaultOf(setting), meaning.join(' ')];
}

function defaultOf({ default: value, shown, required, chart }: Setting): string {
  const unset = shown ?? (required === undefined ? 'none' : 'required');
  const own = value === undefined ? unset : code(value);
  return chart?.default === undefined ? own : `${own}; chart: ${code(String(chart.default))}`;
}

/** Returns a table for the values without a group, and one for each group. */
function chartValuesTables(entries: readonly ChartValue[]): string {
  const settings = Object.values<Setting>(SETTINGS).map(({ chart }) => chart?.value);
  const isShown = ({ path, members }: ChartValue): boolean =>
    members ? members.some(isShown) : !settings.includes(path);
  const shared = Map.groupBy(entries.filter(isShown), ({ path, description, fallback }) =>
    JSON.stringify([withoutGroup(path), description, fallback]),
  );
  const groups = Map.groupBy(shared.values(), ([first]) =>
    first?.path.includes('.') || first?.members ? first.path.split('.')[0] : undefined,
  );
  return [...groups]
    .map(([name, rows]) => {
      const intro = entries.find(({ path }) => path === name)?.description ?? '';
      const values = rows.filter(([first]) => first?.path !== name).flatMap(valueRow);
      const head = name === undefined ? '' : `### ${name}\n\n${linked(intro)}\n\n`;
      return head + table([['Value', 'Default', 'Meaning'], ...values]);
    })
    .join('\n\n');
}

/** One row for values that differ only in their service. */
function valueRow(same: readonly ChartValue[]): Row[] {
  const names = same.map(({ path }) => code(path)).join(', ');
  return same
    .slice(0, 1)
    .map(({ description, fallback, members }) => [
      names,
      members ? '' : chartDefault(fallback),
      linked(description),
    ]);
}

/** Formats a map as one line of code per value, so that a narrow column can wrap it. */
function chartDefault(value: unknown, prefix = ''): string {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([name, child]) => chartDefault(child, prefix === '' ? name : `${prefix}.${name}`))
      .join(', ');
  }
  const text = value === '' ? '""' : value;
  return prefix === '' ? code(text) : code(`${prefix}: ${String(text)}`);
}

function withoutGroup(path: string): string {
  return path.replace(SERVICE, 'service.').replace(BUNDLED, 'bundled.');
}

/** Comments in values.yaml refer to docs pages by path. */
function linked(description: string): string {
  return description.replaceAll(/\bdocs\/((?:[\w-]+\/)?([\w-]+)\.md)\b/g, (_, path: string, name: string) => {
    return `[${name.replaceAll('-', ' ')}](${path})`;
  });
}
