/**
 * Writes docs/errors.md, docs/e-invoice-terms.md, the API pages in docs/api/, the kind pages in docs/kinds/, the tables between two marks in
 * other pages, and the numbers in all pages and the README. With --check it only compares, and exits 1 if they differ.
 */
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { apiName, CUSTOM_KINDS, formatsOf, PRINT_OPTIONS, valuesOf, type OptionSchema } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Bound, BoundValue } from '@trifold/platform/bounds/bound.ts';
import { commonErrorsTable } from './generate/api-errors.ts';
import { API_PAGES, apiPage } from './generate/api-page.ts';
import { configurationTables } from './generate/configuration.ts';
import { eInvoiceTermsPage } from './generate/e-invoice-terms.ts';
import { errorsPage } from './generate/errors-page.ts';
import { kindFile, kindPage } from './generate/kind-page.ts';
import { limitsPage } from './generate/limits.ts';
import { withNumbers } from './generate/numbers.ts';
import { readOpenApi } from './generate/openapi-document.ts';
import { scopesTable } from './generate/scopes.ts';
import { table, type Row } from './markdown-table.ts';

const BINARY_UNITS = [
  ['MiB', 1024 * 1024],
  ['KiB', 1024],
] as const;

function boundText(bound: BoundValue): string {
  if ('setting' in bound) return bound.shown ?? `\`${bound.setting}\``;
  const { value, unit } = bound;
  const binary = BINARY_UNITS.find(([, bytes]) => unit === 'bytes' && value % bytes === 0);
  return binary ? `${value / binary[1]} ${binary[0]}` : `${value} ${unit}`;
}

function boundsTable(): string {
  const rows = Object.values<Bound>(BOUNDS).map(
    ({ holds, in: place, what, per, limit, total, beyond }): Row => [
      what,
      `${holds}, ${place}`,
      `${boundText(limit)} per ${per}`,
      total === undefined ? '' : boundText(total),
      beyond,
    ],
  );
  return table([['What', 'Holds', 'Limit', 'In total', 'Beyond the limit'], ...rows]);
}

function optionRows({ properties = {} }: OptionSchema, group = ''): Row[] {
  return Object.entries(properties).flatMap(([name, option]) => {
    const path = `${group}${apiName(name)}`;
    const { description, 'x-default': value = '' } = option;
    const formats = formatsOf(option);
    const meaning = formats === undefined ? description : `${description} ${capitalized(formats)}.`;
    const row = [`\`${path}\``, value === '' ? '' : `\`${value}\``, valuesText(option), meaning];
    return [row, ...optionRows(option, `${path}.`)];
  });
}

function valuesText(option: OptionSchema): string {
  const { type, enum: values, properties, 'x-shorthand': shorthand, 'x-false': whenFalse } = option;
  if (type === 'boolean') return '`true`, `false`';
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (whenFalse) return 'An object, or `false`';
  if (properties) return shorthand ? 'An object, or one value for all its fields' : 'An object';
  return capitalized(valuesOf(option) ?? 'Any string');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const MARKED = /(<!-- made from [^\n]* -->\n).*?(\n<!-- end -->)/gs;

/** Writes the content between each pair of markers in a page. */
async function writeTables(name: string, ...contents: readonly string[]): Promise<void> {
  const found = await readFile(new URL(name, import.meta.url), 'utf8');
  const left = [...contents];
  const wanted = found.replace(
    MARKED,
    (_, begin: string, end: string) => `${begin}\n${left.shift()}\n${end}`,
  );
  if (left.length > 0) throw new Error(`docs/${name} lacks the marks around its generated tables`);
  await writePage(name, wanted);
}

async function writePage(name: string, wanted: string): Promise<void> {
  const page = new URL(name, import.meta.url);
  const found = await readFile(page, 'utf8').catch(() => '');
  if (wanted === found) return;
  if (!process.argv.includes('--check')) return writeFile(page, wanted);
  process.stderr.write(`docs/${name} differs from its source: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

await writeTables('configuration.md', ...(await configurationTables()));
await writeTables('run/limits.md', boundsTable());
await writeTables(
  'rendering.md',
  table([['Option', 'Default', 'Values', 'Meaning'], ...optionRows(PRINT_OPTIONS)]),
);
await writePage('errors.md', errorsPage());
await writePage('e-invoice-terms.md', eInvoiceTermsPage());

const api = await readOpenApi();
await writeTables('api/overview.md', scopesTable(api));
await writeTables('api/errors-and-retries.md', commonErrorsTable(api));
await writePage('api/limits.md', limitsPage());
for (const page of API_PAGES) await writePage(`api/${page.file}.md`, apiPage(page, api));

await mkdir(new URL('kinds/', import.meta.url), { recursive: true });
for (const kind of CUSTOM_KINDS) await writePage(`kinds/${kindFile(kind)}.md`, kindPage(kind));

const DOCS = new URL('.', import.meta.url).pathname;
for await (const name of glob(['../README.md', '**/*.md'], { cwd: DOCS })) {
  await writePage(name, withNumbers(name, await readFile(new URL(name, import.meta.url), 'utf8')));
}
