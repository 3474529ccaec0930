/**
 * Writes templates/helpers.json: the calls of template helpers, which the editor completes. With --check it only
 * compares, and exits 1 if they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import {
  BUILT_IN_SIGNATURES,
  HELPER_SIGNATURES,
} from '@trifold/platform/templating/syntax/helper-signatures.ts';

const FILE = new URL('./templates/helpers.json', import.meta.url);

const helpers = Object.entries({ ...BUILT_IN_SIGNATURES, ...HELPER_SIGNATURES }).map(([name, signature]) => {
  const { least, most, named, block } = signature;
  return JSON.stringify({ name, least, most, named, block, onlyBlock: 'onlyBlock' in signature });
});
const wanted = `[\n  ${helpers.join(',\n  ')}\n]\n`;
const found = await readFile(FILE, 'utf8').catch(() => '');
if (found !== wanted && process.argv.includes('--check')) {
  process.stderr.write('dashboard/templates/helpers.json differs from the helpers: run `npm run generate`\n');
  process.exitCode = 1;
} else if (found !== wanted) {
  await writeFile(FILE, wanted);
}
