/**
 * Writes the settings in docs/configuration.md. With --check it only compares, and exits 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { SETTING_SECTIONS, type SettingDescription } from '@trifold/platform/service/settings.ts';

const PAGE = new URL('./configuration.md', import.meta.url);
const MARKED = /(<!-- made from .* -->\n).*(\n<!-- end -->)/s;

type Row = readonly [name: string, unset: string, meaning: string];

function rowOf([name, { default: value, shown, doc, list }]: [string, SettingDescription]): Row {
  const meaning = list === undefined ? doc : `${doc} Separate several by commas: ${list}.`;
  return [`\`${name}\``, value === undefined ? (shown ?? '') : `\`${value}\``, meaning];
}

/** The table as the formatter writes it: columns as wide as their widest cell. */
function table(rows: readonly Row[]): string {
  const widths = ([0, 1, 2] as const).map((column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head, ...body] = rows.map((row) => line(row));
  return [head, line(['', '', ''], '-'), ...body].join('\n');
}

const rows = SETTING_SECTIONS.flatMap(({ title, note, settings }): Row[] => [
  [`**${title}**`, '', note],
  ...Object.entries(settings).map(rowOf),
]);
const settings = table([['Variable', 'Default', 'Meaning'], ...rows]);
const found = await readFile(PAGE, 'utf8');
if (!MARKED.test(found)) throw new Error('docs/configuration.md has lost the marks around its settings');
const wanted = found.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${settings}\n${end}`);
if (wanted !== found && process.argv.includes('--check')) {
  process.stderr.write('docs/configuration.md is not what its settings are: run `npm run generate`\n');
  process.exitCode = 1;
} else if (wanted !== found) {
  await writeFile(PAGE, wanted);
}
