/**
 * Writes the settings and chart values in docs/configuration.md, the bounds in docs/security.md, the codes in
 * docs/errors.md and the options in docs/rendering.md. With --check it only compares, and exits 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { apiName, formatsOf, PRINT_OPTIONS, valuesOf, type OptionSchema } from '@trifold/crds';
import { BOUNDS, type Bound, type BoundValue } from '@trifold/platform/service/bounds.ts';
import { ERROR_CODES, type ErrorDescription } from '@trifold/platform/service/error-codes.ts';
import { configurationTables } from './generate/configuration.ts';
import { table, type Row } from './markdown-table.ts';

function boundText(bound: BoundValue): string {
  if ('setting' in bound) return `\`${bound.setting}\``;
  const { value, unit } = bound;
  const MIB = 1024 * 1024;
  return unit === 'bytes' && value % MIB === 0 ? `${value / MIB} MiB` : `${value} ${unit}`;
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

const CODES = Object.entries<ErrorDescription>(ERROR_CODES);

function requestErrorsTable(): string {
  const rows = CODES.flatMap(([code, { status, retryable, cause, remedy }]) =>
    status === undefined ? [] : [[`\`${code}\``, String(status), retryable ? 'yes' : '', cause, remedy]],
  );
  return table([['Code', 'Status', 'Retry', 'Cause', 'Remedy'], ...rows]);
}

function documentErrorsTable(): string {
  const rows = CODES.flatMap(([code, { document, retryable, cause, remedy }]) =>
    document ? [[`\`${code}\``, retryable ? 'yes' : '', cause, remedy]] : [],
  );
  return table([
    ['Code', 'Retried', 'Cause', 'Remedy'],
    ...rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  ]);
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

/** Writes one content between each pair of marks of a page. */
async function generate(name: string, ...contents: readonly string[]): Promise<void> {
  const page = new URL(name, import.meta.url);
  const found = await readFile(page, 'utf8');
  const left = [...contents];
  const wanted = found.replace(
    MARKED,
    (_, begin: string, end: string) => `${begin}\n${left.shift()}\n${end}`,
  );
  if (left.length > 0) throw new Error(`docs/${name} lacks the marks around its generated tables`);
  if (wanted === found) return;
  if (!process.argv.includes('--check')) return writeFile(page, wanted);
  process.stderr.write(`docs/${name} differs from its source: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

await generate('configuration.md', ...(await configurationTables()));
await generate('security.md', boundsTable());
await generate('errors.md', requestErrorsTable(), documentErrorsTable());
await generate(
  'rendering.md',
  table([['Option', 'Default', 'Values', 'Meaning'], ...optionRows(PRINT_OPTIONS)]),
);
