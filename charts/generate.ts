/**
 * Updates the generated files of the chart: copies crds/manifests/ into the chart, writes the settings into values.yaml,
 * its schema and the templates of the ConfigMaps, and copies the comments of values.yaml into docs/helm-values.md. With
 * --check it only compares and exits 1 on drift.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { settingsTemplate, withSettingSchemas, withSettingValues } from './chart-settings.ts';
import { chartValuesMarkdown, readChartValues } from './values-reference.ts';

const MANIFESTS = new URL('../crds/manifests/', import.meta.url);
const COPIES = new URL('./trifold/files/crds/', import.meta.url);
const VALUES = new URL('./trifold/values.yaml', import.meta.url);
const SCHEMA = new URL('./trifold/values.schema.json', import.meta.url);
const TEMPLATE = new URL('./trifold/templates/_settings.tpl', import.meta.url);
const PAGE = new URL('../docs/helm-values.md', import.meta.url);
const MARKED = /(<!-- made from values.yaml by `npm run generate` -->\n).*(\n<!-- end -->)/s;

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
  files.set(VALUES, values);
  files.set(SCHEMA, withSettingSchemas(await readFile(SCHEMA, 'utf8')));
  files.set(TEMPLATE, settingsTemplate());
  const reference = chartValuesMarkdown(readChartValues(values));
  const page = await readFile(PAGE, 'utf8');
  if (!MARKED.test(page)) throw new Error('docs/helm-values.md lacks the marks around its values');
  // A function, because the text may contain a dollar sign.
  files.set(
    PAGE,
    page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${reference}\n${end}`),
  );
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
