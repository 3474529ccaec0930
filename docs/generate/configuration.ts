import { readFile } from 'node:fs/promises';
import { SETTING_SECTIONS, SETTINGS, type Setting } from '@trifold/platform/service/settings.ts';
import { entriesOf, readChartValues, type ChartValue } from '../../charts/values-reference.ts';
import { table, type Row } from '../markdown-table.ts';

/** Groups with many equal values, which share their rows. */
const SERVICE = /^(?:gateway|controller|renderer)\./;
const BUNDLED = /^(?:redis|objectStore)\.bundled\./;

function code(text: unknown): string {
  return `\`${typeof text === 'string' ? text : JSON.stringify(text)}\``;
}

/**
 * Returns the tables of the settings that most users look at, of all other settings, and of the chart values that are
 * not settings. Throws an Error if a setting names a value that the chart lacks.
 */
export async function configurationTables(): Promise<string[]> {
  const values = new URL('../../charts/trifold/values.yaml', import.meta.url);
  const entries = entriesOf(readChartValues(await readFile(values, 'utf8')));
  const paths = new Set(entries.map(({ path }) => path));
  return [settingsTable(true, paths), settingsTable(false, paths), chartValuesTable(entries)];
}

function settingsTable(isCommon: boolean, paths: ReadonlySet<string>): string {
  const rows = SETTING_SECTIONS.flatMap(({ title, note, settings }): Row[] => {
    const shown = Object.entries(settings).filter(([, { common = false }]) => common === isCommon);
    const own = shown.map(([name, setting]) => settingRow(name, setting, paths));
    return own.length === 0 ? [] : [[`**${title}**`, '', '', note], ...own];
  });
  return table([['Variable', 'Chart value', 'Default', 'Meaning'], ...rows]);
}

function settingRow(name: string, setting: Setting, paths: ReadonlySet<string>): Row {
  const { doc, list, chart, computedFrom } = setting;
  const path = chart?.value ?? computedFrom;
  if (path !== undefined && !paths.has(path)) throw new Error(`${name}: the chart lacks the value ${path}`);
  const commas = list === undefined ? undefined : `Separate several with commas: ${list}.`;
  const meaning = [doc, commas, chart?.note].filter((sentence) => sentence !== undefined);
  return [code(name), path === undefined ? '' : code(path), defaultOf(setting), meaning.join(' ')];
}

function defaultOf({ default: value, shown, required, chart }: Setting): string {
  const unset = shown ?? (required === undefined ? 'none' : 'required');
  const own = value === undefined ? unset : code(value);
  return chart?.default === undefined ? own : `${own}; chart: ${code(String(chart.default))}`;
}

function chartValuesTable(entries: readonly ChartValue[]): string {
  const settings = Object.values<Setting>(SETTINGS).map(({ chart }) => chart?.value);
  const isShown = ({ path, members }: ChartValue): boolean =>
    members ? members.some(isShown) : !settings.includes(path);
  const shared = Map.groupBy(entries.filter(isShown), ({ path, description, fallback }) =>
    JSON.stringify([withoutGroup(path), description, fallback]),
  );
  const rows = [...shared.values()].flatMap((same): Row[] => {
    const names = same.map(({ path }) => code(path)).join(', ');
    return same.slice(0, 1).map(({ path, description, fallback, members }) => {
      const name = members && !path.includes('.') ? `**${path}**` : names;
      return [name, members ? '' : code(fallback === '' ? '""' : fallback), linked(description)];
    });
  });
  return table([['Value', 'Default', 'Meaning'], ...rows]);
}

function withoutGroup(path: string): string {
  return path.replace(SERVICE, 'service.').replace(BUNDLED, 'bundled.');
}

/** Comments of values.yaml name pages of the docs by their paths. */
function linked(description: string): string {
  return description.replaceAll(/\bdocs\/([\w/-]+\.md)\b/g, '[$1]($1)');
}
