/**
 * `npm run build:cli`: assembles the npm package `@trifold/cli` in `standalone/dist/package/`, or in `--out DIR`.
 * The package contains every file that `trifold` can load, at its path in this repository. Spaces replace types,
 * as when Node runs the sources, so line and column numbers stay the same.
 */
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { exactVersions, installedPackages } from './installed-packages.ts';
import type { ReferencePage } from '@trifold/api-gateway/documentation/reference-page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = path.join(ROOT, 'standalone/dist/package');
const OUT = parseArgs({ options: { out: { type: 'string', default: DIST } } }).values.out;
const BIN = 'standalone/command/bin.cjs';
/** A module, JSON file or folder in this repository that code imports, reads or starts. */
const REFERENCE =
  /'((?:\.\.?|@trifold\/[a-z-]+)\/[^'\s]*(?:\.ts|\.cjs|\.json|\/)|(?<=from ')@trifold\/[a-z-]+)'/g;
/**
 * Packages that are not dependencies: the few modules that `trifold` loads are copied. With their dependencies, the
 * packages take 102 MB; these modules take 5.2 MB.
 */
const COPIED = ['bwip-js', 'docx', 'pdfjs-dist', 'pixelmatch', 'puppeteer-core'];
const COPIED_REFERENCE = new RegExp(
  `(?<=(?:from |import\\(|loadLater\\())'((?:${COPIED.join('|')})(?:/[^']+)?)'`,
  'g',
);
const REFERENCE_IN_COPY = /(?<=\b(?:from|import) )'(\.[^'\s]+)'/g;
const MODULES = /^node_modules\//;

/** Its package is large and generates the same page everywhere, so the page is generated now. */
const REFERENCE_PAGE = 'api-gateway/documentation/reference-page.ts';
/** Its package has no dependencies and exports the build of these sources. */
const CLIENT = 'clients';
/**
 * The largest packages other than the browser. Only commands that use a cluster, and pixel comparison, need
 * them.
 */
const OPTIONAL = ['@kubernetes/client-node', '@napi-rs/canvas'];

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Content of the emitted files, by path in the repository; empty for folders. */
const code = new Map<string, string>();

await rm(OUT, { recursive: true, force: true });
await emit(BIN);
await Promise.all(COPIED.map(describeCopy));
const described = await manifest();
await writeJson('package.json', described);
// npm installs these versions if the registry marks the package; otherwise it pins only the versions in the manifest.
await writeJson('npm-shrinkwrap.json', await installedPackages(ROOT, described));
await copyFile(path.join(ROOT, 'LICENSE'), path.join(OUT, 'LICENSE'));
await copyFile(path.join(ROOT, 'standalone/package/README.md'), path.join(OUT, 'README.md'));

async function emit(file: string): Promise<void> {
  if (code.has(file)) return;
  code.set(file, '');
  const target = path.join(OUT, emittedName(file));
  if (file.endsWith('/')) return cp(path.join(ROOT, file), target, { recursive: true, filter: isOriginal });
  const source = await sourceOf(file);
  const stripped = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const targets = new Set<string>();
  const emitted = referencesIn(file).reduce(
    (text, pattern) =>
      text.replaceAll(pattern, (_, name: string) => {
        const found = resolve(name, file);
        targets.add(found);
        return `'${relativeName(found, file)}'`;
      }),
    stripped,
  );
  code.set(file, emitted);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, emitted);
  for (const reference of targets) await emit(reference);
}

function referencesIn(file: string): readonly RegExp[] {
  if (file.endsWith('.json')) return [];
  return MODULES.test(file) ? [REFERENCE_IN_COPY] : [REFERENCE, COPIED_REFERENCE];
}

/** Writes a copied package's license, and the manifest fields that Node and package scanners read. */
async function describeCopy(name: string): Promise<void> {
  const [from, to] = [path.join(ROOT, 'node_modules', name), path.join(OUT, 'vendor', name)];
  const { version, license, type } = JSON.parse(
    await readFile(path.join(from, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  await writeJson(`vendor/${name}/package.json`, { name, version, license, type });
  for (const file of await readdir(from)) {
    if (file.startsWith('LICENSE')) await copyFile(path.join(from, file), path.join(to, file));
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(path.join(OUT, file), `${JSON.stringify(value, null, 2)}\n`);
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

/** Writes the page's script, and returns a module that replaces the page's thread without its package. */
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
  if (name === '@trifold/client') return `${CLIENT}/typescript/index.ts`;
  // `require` would find the CommonJS build.
  const found =
    name === 'docx' ? fileURLToPath(import.meta.resolve(name)) : createRequire(importer).resolve(name);
  return path.relative(ROOT, found);
}

function relativeName(target: string, from: string): string {
  const relative = path.posix.relative(path.dirname(emittedName(from)), emittedName(target));
  const folder = target.endsWith('/') ? '/' : '';
  return `${relative.startsWith('.') ? '' : './'}${relative}${folder}`;
}

function emittedName(file: string): string {
  return file.replace(/\.ts$/, '.js').replace(MODULES, 'vendor/');
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

/** Returns the packages that the emitted code names, with their versions in the lock file. */
async function usedPackages() {
  const workspaces = new Set(
    [...code.keys()].filter((file) => !MODULES.test(file)).map((file) => file.split('/', 1).join('')),
  );
  const manifests = await Promise.all([...workspaces].filter((name) => name !== CLIENT).map(readManifest));
  const all = [...code.values()].join('\n');
  const used = manifests
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    .filter(([name]) => !COPIED.includes(name) && (all.includes(`'${name}'`) || all.includes(`'${name}/`)));
  const ranges = Object.fromEntries(used);
  const others = Object.keys(ranges).filter((name) => !OPTIONAL.includes(name));
  return {
    dependencies: await exactVersions(ROOT, others.toSorted()),
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, ranges[name]])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}

async function readManifest(workspace: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;
}
