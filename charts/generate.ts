/**
 * Updates the generated files of the chart: copies crds/manifests/ into the chart, and writes the settings into
 * values.yaml, its schema and the ConfigMap templates. With --check, only compares and exits with 1 on drift.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { withRequiredValues } from './required-values.ts';
import { readChartValues } from './values-reference.ts';
import { settingsTemplate, withSettingSchemas, withSettingValues } from './chart-settings.ts';

const MANIFESTS = new URL('../crds/manifests/', import.meta.url);
const COPIES = new URL('./trifold/files/crds/', import.meta.url);
const VALUES = new URL('./trifold/values.yaml', import.meta.url);
const SCHEMA = new URL('./trifold/values.schema.json', import.meta.url);
const TEMPLATE = new URL('./trifold/templates/_settings.tpl', import.meta.url);

const checkOnly = process.argv.includes('--check');

/** The expected content of every file; undefined for a file that must not exist. */
async function wanted(): Promise<Map<URL, string | undefined>> {
  const files = new Map<URL, string | undefined>();
  const [manifests, copies] = await Promise.all([readdir(MANIFESTS), readdir(COPIES).catch(() => [])]);
  for (const name of copies) {
    if (!manifests.includes(name)) files.set(new URL(name, COPIES), undefined);
  }
  for (const name of manifests) {
    files.set(new URL(name, COPIES), await readFile(new URL(name, MANIFESTS), 'utf8'));
  }
  const values = withSettingValues(await readFile(VALUES, 'utf8'));
  const schema = withSettingSchemas(await readFile(SCHEMA, 'utf8'));
  files.set(VALUES, values);
  files.set(SCHEMA, withRequiredValues(schema, readChartValues(values)));
  files.set(TEMPLATE, settingsTemplate());
  return files;
}

await mkdir(COPIES, { recursive: true });
for (const [file, text] of await wanted()) {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) continue;
  if (checkOnly) {
    process.stderr.write(`${file.pathname} differs from its source: run \`npm run generate\`\n`);
    process.exitCode = 1;
  } else if (text === undefined) {
    await rm(file);
  } else {
    await writeFile(file, text);
  }
}
