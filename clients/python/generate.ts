/**
 * Writes the generated parts of the Python client: `types.py` from docs/openapi.json, `_sync/` from `_async/`, and the
 * license. With --check, only compares and exits with 1 on drift.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readOpenApi } from '../../docs/generate/openapi-document.ts';
import { synchronous } from './synchronous.ts';
import { typesModule } from './typed-dicts.ts';

const PACKAGE = new URL('trifold/', import.meta.url);
const SOURCES = new URL('_async/', PACKAGE);
const COPIES = new URL('_sync/', PACKAGE);
const check = process.argv.includes('--check');

await mkdir(COPIES, { recursive: true });
const modules = await modulesIn(SOURCES);
for (const module of modules) {
  await write(new URL(module, COPIES), synchronous(module, await readFile(new URL(module, SOURCES), 'utf8')));
}
for (const module of await modulesIn(COPIES)) if (!modules.includes(module)) await remove(module);
await write(new URL('types.py', PACKAGE), typesModule(await readOpenApi()));
// The source distribution must contain the license and cannot reach files outside this folder.
await write(
  new URL('LICENSE', import.meta.url),
  await readFile(new URL('../../LICENSE', import.meta.url), 'utf8'),
);

async function modulesIn(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.py'));
}

async function write(file: URL, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  if (check) reportDrift(file);
  else await writeFile(file, text);
}

async function remove(module: string): Promise<void> {
  const file = new URL(module, COPIES);
  if (check) reportDrift(file);
  else await rm(file);
}

function reportDrift(file: URL): void {
  process.stderr.write(`${file.pathname} differs from its source: run \`npm run generate\`\n`);
  process.exitCode = 1;
}
