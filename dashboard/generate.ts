/**
 * Writes templates/helpers.json, the calls of template helpers that the editor completes, and documents/remedies.json,
 * what to do about each error code. With --check it only compares, and exits 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { ERROR_CODES } from '@trifold/platform/service/error-codes.ts';
import {
  BUILT_IN_SIGNATURES,
  HELPER_SIGNATURES,
} from '@trifold/platform/templating/syntax/helper-signatures.ts';

function helpersJson(): string {
  const helpers = Object.entries({ ...BUILT_IN_SIGNATURES, ...HELPER_SIGNATURES }).map(
    ([name, signature]) => {
      const { least, most, named, block } = signature;
      return JSON.stringify({ name, least, most, named, block, onlyBlock: 'onlyBlock' in signature });
    },
  );
  return `[\n  ${helpers.join(',\n  ')}\n]\n`;
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
  process.stderr.write(`dashboard/${name} differs from what it is made from: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

await generate('templates/helpers.json', helpersJson());
await generate('documents/remedies.json', remediesJson());
