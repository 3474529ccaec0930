import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** An entry of a lock file. */
interface LockedPackage {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockedPackage>>;

/** Returns the versions of packages in the lock file of the repository at `root`, which its tests use. */
export async function exactVersions(root: string, names: readonly string[]): Promise<Record<string, string>> {
  const lock = await readLock(root);
  return Object.fromEntries(names.map((name) => [name, entryAt(lock, locate(lock, '', name)).version]));
}

/**
 * Returns the npm-shrinkwrap.json of a package: the part of the repository's lock file that its dependencies need, for
 * all platforms. Throws if a dependency is not installed at the root of the repository.
 */
export async function installedPackages(root: string, manifest: object): Promise<object> {
  const { name, version, dependencies } = manifest as Manifest;
  const lock = await readLock(root);
  const found = new Set<string>();
  const add = (from: string, needed: string) => {
    const location = locate(lock, from, needed);
    if (found.has(location)) return;
    found.add(location);
    for (const next of needsOf(lock, location)) add(location, next);
  };
  for (const needed of Object.keys(dependencies)) add('', needed);
  const packages = [...found].toSorted().map((location) => {
    // The lock file marks packages that the repository needs only for development.
    const {
      dev: _dev,
      devOptional: _devOptional,
      ...entry
    } = entryAt(lock, location) as LockedPackage & Record<string, unknown>;
    return [location, entry] as const;
  });
  const all = { '': manifest, ...Object.fromEntries(packages) };
  return { name, version, lockfileVersion: 3, requires: true, packages: all };
}

function needsOf(lock: Lock, location: string): readonly string[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = entryAt(lock, location);
  const optional = new Set([
    ...Object.keys(optionalDependencies),
    ...Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional),
  ]);
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) =>
      !optional.has(name) || (name in optionalDependencies && find(lock, location, name) !== undefined),
  );
}

function locate(lock: Lock, from: string, name: string): string {
  const found = find(lock, from, name);
  if (found === undefined) throw new Error(`the lock file has no ${name} for ${from || 'the repository'}`);
  return found;
}

/** Searches as Node does: next to the package, then in the folders above it. */
function find(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const location = path.posix.join(folder, 'node_modules', name);
    if (location in lock) return location;
    if (folder === '') return undefined;
  }
}

function entryAt(lock: Lock, location: string): LockedPackage {
  return lock[location] as LockedPackage;
}

async function readLock(root: string): Promise<Lock> {
  const text = await readFile(path.join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Lock }).packages;
}
