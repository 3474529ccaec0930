/**
 * `npm run build:cli`: assembles the npm package `@trifold/cli` in `standalone/dist/package/`, or with `--out DIR` there. The package contains every file
 * that `trifold` can load, at its path in this repository. Types are replaced by spaces, as Node does when it runs the
 * sources, so line and column numbers stay the same.
 */
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { ReferencePage } from '@trifold/api-gateway/documentation/reference-page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = path.join(ROOT, 'standalone/dist/package');
const OUT = parseArgs({ options: { out: { type: 'string', default: DIST } } }).values.out;
const BIN = 'standalone/command/bin.cjs';
/** A module, a JSON file or a folder of this repository: what code imports, and the URLs of what it reads or starts. */
const REFERENCE = /'((?:\.\.?|@trifold\/[a-z-]+)\/[^'\s]*(?:\.ts|\.cjs|\.json|\/)|@trifold\/[a-z-]+)'/g;

/** Its package is large and makes the same page everywhere, so the page is made now. */
const REFERENCE_PAGE = 'api-gateway/documentation/reference-page.ts';
/** Needed only by commands that use a cluster, and the largest package except for the browser. */
const CLUSTER_CLIENT = '@kubernetes/client-node';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Emitted files, by their path in the repository; folders are empty. */
const code = new Map<string, string>();

await rm(OUT, { recursive: true, force: true });
await emit(BIN);
await writeFile(path.join(OUT, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
await copyFile(path.join(ROOT, 'LICENSE'), path.join(OUT, 'LICENSE'));
await copyFile(path.join(ROOT, 'standalone/package/README.md'), path.join(OUT, 'README.md'));

async function emit(file: string): Promise<void> {
  if (code.has(file)) return;
  code.set(file, '');
  const target = path.join(OUT, emittedName(file));
  if (file.endsWith('/')) return cp(path.join(ROOT, file), target, { recursive: true, filter: isOriginal });
  const source = await sourceOf(file);
  const stripped = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const references = new Set(
    file.endsWith('.json') ? [] : Array.from(stripped.matchAll(REFERENCE), ([, name = '']) => name),
  );
  const targets = new Map([...references].map((name) => [name, resolve(name, file)]));
  const emitted = stripped.replaceAll(
    REFERENCE,
    (_, name: string) => `'${relativeName(targets.get(name) ?? name, file)}'`,
  );
  code.set(file, emitted);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, emitted);
  for (const reference of targets.values()) await emit(reference);
}

async function sourceOf(file: string): Promise<string> {
  if (file === REFERENCE_PAGE) return builtReferencePage();
  const source = await readFile(path.join(ROOT, file), 'utf8');
  if (path.basename(file) !== 'package.json') return source;
  // Only the version is read, and other fields mean nothing in a nested manifest.
  const { version } = JSON.parse(source) as Manifest;
  return JSON.stringify({ type: 'module', version });
}

/** A local service does not need the compressed copies of its pages, which are a third of the package. */
function isOriginal(file: string): boolean {
  return !/\.(?:br|gz)$/.test(file);
}

/** Writes the page's script, and returns a module that does what the page's thread does with its package. */
async function builtReferencePage(): Promise<string> {
  const [{ page, script }] = (await once(new Worker(path.join(ROOT, REFERENCE_PAGE)), 'message')) as [
    ReferencePage,
  ];
  await mkdir(path.join(OUT, path.dirname(REFERENCE_PAGE)), { recursive: true });
  await writeFile(path.join(OUT, path.dirname(REFERENCE_PAGE), 'scalar.js'), script);
  return `import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
const script = readFileSync(new URL('scalar.js', import.meta.url));
parentPort.postMessage({ page: ${JSON.stringify(page)}, script });
`;
}

/** Returns the path in the repository. Throws if there is no such file. */
function resolve(name: string, from: string): string {
  const importer = path.join(ROOT, from);
  if (name.endsWith('/')) return `${path.relative(ROOT, path.resolve(path.dirname(importer), name))}/`;
  return path.relative(ROOT, createRequire(importer).resolve(name));
}

function relativeName(target: string, from: string): string {
  const relative = emittedName(path.posix.relative(path.dirname(from), target));
  const folder = target.endsWith('/') ? '/' : '';
  return `${relative.startsWith('.') ? '' : './'}${relative}${folder}`;
}

function emittedName(file: string): string {
  return file.replace(/\.ts$/, '.js');
}

async function manifest(): Promise<object> {
  const { version } = await readManifest('');
  return {
    name: '@trifold/cli',
    version,
    description: 'PDF, DOCX, HTML and image files from HTML templates and JSON data',
    license: 'Apache-2.0',
    type: 'module',
    bin: { trifold: BIN },
    exports: { './package.json': './package.json' },
    engines: { node: '^22.19 || >=24' },
    ...(await usedPackages()),
  };
}

/** Returns the packages that the emitted code names, at the versions of the workspaces that declare them. */
async function usedPackages() {
  const workspaces = new Set([...code.keys()].map((file) => file.split('/', 1).join('')));
  const manifests = await Promise.all([...workspaces].map(readManifest));
  const all = [...code.values()].join('\n');
  const used = manifests
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    .filter(([name]) => all.includes(`'${name}'`) || all.includes(`'${name}/`));
  const dependencies = Object.fromEntries(used.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const { [CLUSTER_CLIENT]: version, ...others } = dependencies;
  return {
    dependencies: others,
    peerDependencies: { [CLUSTER_CLIENT]: version },
    peerDependenciesMeta: { [CLUSTER_CLIENT]: { optional: true } },
  };
}

async function readManifest(workspace: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;
}
