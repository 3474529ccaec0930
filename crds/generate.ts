/** Writes crds/manifests/*.yaml from the kinds. With --check, only compares and exits with 1 on drift. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { customResourceDefinition } from './schema/crd.ts';
import { CUSTOM_KINDS } from './kinds/custom-kinds.ts';

const folder = new URL('./manifests/', import.meta.url);
const checkOnly = process.argv.includes('--check');
await mkdir(folder, { recursive: true });

for (const kind of CUSTOM_KINDS) {
  const file = new URL(`${kind.group}_${kind.plural}.yaml`, folder);
  const header = '# Generated from crds/ by `npm run generate`. Do not edit.\n';
  const text =
    header + stringify(customResourceDefinition(kind), { lineWidth: 110, aliasDuplicateObjects: false });
  if (!checkOnly) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${file.pathname} differs from its source in crds/: run \`npm run generate\`\n`);
    process.exitCode = 1;
  }
}
