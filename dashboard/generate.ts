/**
 * Writes generated/helpers.json, the template helpers that the editor completes and explains, generated/options.json,
 * the generation options of its form, generated/formats.json, the file formats, generated/page-sizes.json,
 * generated/remedies.json, the remedy for each error or warning code, and generated/e-invoice.json, the business terms
 * and profiles of e-invoices. With --check it only compares, and exits with 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import {
  apiName,
  FORMATS,
  LENGTH_PATTERN,
  optionDescription,
  PAGE_SIZES,
  PRINT_OPTIONS,
  valuesOf,
  type OptionSchema,
} from '@trifold/crds';
import { ERROR_CODES } from '@trifold/platform/errors/error-codes.ts';
import { WARNING_DESCRIPTIONS } from '@trifold/platform/errors/warning-codes.ts';
import {
  BUILT_IN_SIGNATURES,
  HELPER_SIGNATURES,
} from '@trifold/platform/templating/helpers/helper-signatures.ts';
import { eInvoiceJson } from './generate-e-invoice.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** Calls in the docs tables with their output, followed by the calls in the prose. */
async function examplesOf(pages: readonly string[]): Promise<HelperExample[]> {
  const texts = await Promise.all(pages.map(async (page) => readFile(new URL(page, DOCS), 'utf8')));
  const docs = texts.join('\n');
  const rows = docs.matchAll(/^\| `(\{\{.*?\}\})`\s*\| (.*?)\s*\|$/gm);
  const calls = docs.matchAll(/`(\{\{[^`\n]*\}\})`/g);
  return [
    ...Array.from(rows, ([, example = '', shows = '']) => ({ example, shows })),
    ...Array.from(calls, ([, example = '']) => ({ example })),
  ];
}

interface HelperExample {
  readonly example: string;
  readonly shows?: string;
}

/** Returns the first example that begins with a helper, or else one that calls it. */
function exampleOf(name: string, examples: readonly HelperExample[]): HelperExample {
  const begins = new RegExp(`^\\{\\{#?${name}\\b`);
  const calls = new RegExp(`\\(${name} `);
  const found =
    examples.find(({ example }) => begins.test(example)) ??
    examples.find(({ example }) => calls.test(example));
  if (!found) throw new Error(`docs/template-helpers.md has no example of ${name}`);
  return found;
}

async function helpersJson(): Promise<string> {
  const examples = await examplesOf(['template-helpers.md', 'templates.md']);
  const signatures = Object.entries({ ...BUILT_IN_SIGNATURES, ...HELPER_SIGNATURES });
  const helpers = signatures.map(([name, signature]) => {
    const { summary, least, most, parameters, named, block, onlyBlock = false } = signature;
    const shown = { name, summary, least, most, parameters, named, block, onlyBlock };
    return Object.assign(shown, exampleOf(name, examples));
  });
  return jsonLines(helpers);
}

/** Returns values as JSON, one on each line. */
function jsonLines(values: readonly object[]): string {
  return `[\n  ${values.map((value) => JSON.stringify(value)).join(',\n  ')}\n]\n`;
}

function formOption([kindName, option]: [string, OptionSchema]): object {
  const { enum: values, pattern, properties, 'x-requires': requires, 'x-shorthand': shorthand } = option;
  const requirements = Object.entries(requires ?? {}).map(([value, names]) => [value, names.map(apiName)]);
  return {
    name: apiName(kindName),
    kindName,
    kind: fieldKind(option),
    label: option['x-label'],
    description: optionDescription(option),
    default: option['x-default'],
    values,
    pattern,
    accepts: pattern && valuesOf(option),
    ...(requires && { requires: Object.fromEntries(requirements) as object }),
    members: properties && Object.entries(properties).map(formOption),
    hasShorthand: shorthand && true,
    whenFalse: option['x-false'],
  };
}

function fieldKind({ type, enum: values, pattern, 'x-html': isHtml }: OptionSchema): string {
  if (type !== 'string')
    return { boolean: 'flag', integer: 'number', object: 'group', array: 'list' }[type] ?? type;
  if (values) return 'choice';
  if (isHtml) return 'html';
  return pattern === LENGTH_PATTERN ? 'length' : 'text';
}

function remediesJson(): string {
  const described = Object.entries({ ...ERROR_CODES, ...WARNING_DESCRIPTIONS });
  const remedies = described.map(([code, { remedy }]) => [code, plainText(remedy)]);
  return `${JSON.stringify(Object.fromEntries(remedies), null, 2)}\n`;
}

/** Returns Markdown without code and link markup. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

async function generate(name: string, wanted: string): Promise<void> {
  const file = new URL(name, import.meta.url);
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found === wanted) return;
  if (!process.argv.includes('--check')) return writeFile(file, wanted);
  process.stderr.write(`dashboard/${name} differs from its source: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

await generate('generated/helpers.json', await helpersJson());
const options = Object.entries<OptionSchema>(PRINT_OPTIONS.properties).map(formOption);
await generate('generated/options.json', jsonLines(options));
await generate('generated/formats.json', `${JSON.stringify(FORMATS, null, 2)}\n`);
await generate('generated/page-sizes.json', `${JSON.stringify(PAGE_SIZES, null, 2)}\n`);
await generate('generated/remedies.json', remediesJson());
await generate('generated/e-invoice.json', eInvoiceJson());
