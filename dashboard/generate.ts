/**
 * Writes generated/helpers.json, the calls of template helpers that the editor completes, generated/options.json, the
 * generation options of its form, generated/page-sizes.json, and generated/remedies.json, what to do about each error code.
 * With --check it only compares, and exits 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import {
  apiName,
  LENGTH_PATTERN,
  optionDescription,
  PAGE_SIZES,
  PRINT_OPTIONS,
  valuesOf,
  type OptionSchema,
} from '@trifold/crds';
import { ERROR_CODES } from '@trifold/platform/service/error-codes.ts';
import {
  BUILT_IN_SIGNATURES,
  HELPER_SIGNATURES,
} from '@trifold/platform/templating/helpers/helper-signatures.ts';

function helpersJson(): string {
  const helpers = Object.entries({ ...BUILT_IN_SIGNATURES, ...HELPER_SIGNATURES }).map(
    ([name, signature]) => {
      const { least, most, named, block } = signature;
      return JSON.stringify({ name, least, most, named, block, onlyBlock: 'onlyBlock' in signature });
    },
  );
  return `[\n  ${helpers.join(',\n  ')}\n]\n`;
}

function optionsJson(): string {
  const options = Object.entries<OptionSchema>(PRINT_OPTIONS.properties).map((entry) =>
    JSON.stringify(formOption(entry)),
  );
  return `[\n  ${options.join(',\n  ')}\n]\n`;
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
  const remedies = Object.entries(ERROR_CODES).map(([code, { remedy }]) => [
    code,
    remedy.replaceAll('`', ''),
  ]);
  return `${JSON.stringify(Object.fromEntries(remedies), null, 2)}\n`;
}

async function generate(name: string, wanted: string): Promise<void> {
  const file = new URL(name, import.meta.url);
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found === wanted) return;
  if (!process.argv.includes('--check')) return writeFile(file, wanted);
  process.stderr.write(`dashboard/${name} differs from its source: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

await generate('generated/helpers.json', helpersJson());
await generate('generated/options.json', optionsJson());
await generate('generated/page-sizes.json', `${JSON.stringify(PAGE_SIZES, null, 2)}\n`);
await generate('generated/remedies.json', remediesJson());
