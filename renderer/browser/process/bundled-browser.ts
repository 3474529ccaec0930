import { createReadStream, createWriteStream, realpathSync, rmSync } from 'node:fs';
import { access, constants, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { onProcessExit } from '@trifold/platform/child-process/exit-cleanup.ts';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';
import { isProcessAlive, processIdentity } from '@trifold/platform/process/process-identity.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { runsWith, type BrowserBinary } from './browser-program.ts';
import { isOwnDirectory, temporaryDirectory } from './own-directory.ts';

/** Libraries for machines that lack them: NSS, NSPR and expat, which the package includes for AWS Lambda. */
const LIBRARIES = 'lib';

/**
 * Unpacks the headless shell of `@sparticuz/chromium`, once per version, into the user's cache directory (or the
 * temporary one). Processes may run this concurrently: each unpacks into its own directory, and one renames it into
 * place. Uses the machine's libraries if present, otherwise the package's. Rejects with SetupError when this is not
 * possible.
 */
export async function unpackBundledBrowser(cacheDirectory?: string): Promise<Omit<BrowserBinary, 'source'>> {
  const source = packageDirectory();
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const cache = cacheDirectory ?? (await usableCache());
  const name = `chromium-${manifest.version}`;
  const directory = join(cache, name);
  await sweepDrafts(cache, name);
  if (!(await isComplete(directory))) await unpack(join(source, 'bin'), directory);
  return browserIn(directory);
}

function packageDirectory(): string {
  try {
    return dirname(dirname(realpathSync(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))));
  } catch (cause) {
    const advice = 'run npm ci, or set TRIFOLD_BROWSER to the path of a Chromium executable';
    throw new SetupError(`@sparticuz/chromium is not installed: ${advice}`, cause);
  }
}

async function browserIn(directory: string): Promise<Omit<BrowserBinary, 'source'>> {
  const executable = join(directory, 'chromium');
  const environment = { FONTCONFIG_FILE: join(directory, 'fonts.conf') };
  if (await runsWith(executable, environment)) return { executable, environment };
  const path = [join(directory, LIBRARIES), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const withLibraries = { ...environment, LD_LIBRARY_PATH: path };
  if (await runsWith(executable, withLibraries)) return { executable, environment: withLibraries };
  throw new SetupError(
    `the browser in ${directory} failed to start, because the system is too old or the file system of this directory does not allow execution: ` +
      'install chromium-headless-shell and set TRIFOLD_BROWSER to its path, or set XDG_CACHE_HOME to another directory',
  );
}

async function unpack(packed: string, directory: string): Promise<void> {
  const draft = `${directory}.${processIdentity()}.${Math.random().toString(36).slice(2)}`;
  const forget = onProcessExit(() => rmSync(draft, { recursive: true, force: true, maxRetries: 20 }));
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await Promise.all([
      unpackExecutable(join(packed, 'chromium.br'), join(draft, 'chromium')),
      unpackArchive(join(packed, 'fonts.tar.br'), draft),
      unpackArchive(join(packed, 'al2023.tar.br'), draft),
    ]);
    await writeFile(join(draft, 'fonts.conf'), fontConfiguration(directory));
    await publish(draft, directory);
  } catch (cause) {
    if (cause instanceof SetupError) throw cause;
    const reason = `cannot unpack the browser into ${directory}: ${(cause as Error).message}`;
    const advice = 'free some space there, or set XDG_CACHE_HOME to another directory';
    throw new SetupError(`${reason}: ${advice}`, cause);
  } finally {
    await rm(draft, { recursive: true, force: true });
    forget();
  }
}

async function publish(draft: string, directory: string): Promise<void> {
  // Removes our own incomplete copy, but not another user's files, which then cause an error.
  if (isOwnDirectory(directory) && !(await isComplete(directory))) {
    await rm(directory, { recursive: true, force: true });
  }
  try {
    await rename(draft, directory);
  } catch (error) {
    // Another process was faster; use its copy.
    if (await isComplete(directory)) return;
    const reason = `cannot move the browser into ${directory}: remove that directory and start again`;
    throw new SetupError(reason, error);
  }
}

/** Whether a copy exists, belongs to this user, and has not been partly deleted by a cleanup of temporary files. */
async function isComplete(directory: string): Promise<boolean> {
  if (!isOwnDirectory(directory)) return false;
  const parts = ['chromium', 'fonts.conf', 'fonts', LIBRARIES];
  const there = await Promise.all(parts.map((part) => lstat(join(directory, part)).catch(() => undefined)));
  return there.every((stats) => stats !== undefined);
}

async function unpackExecutable(from: string, to: string): Promise<void> {
  const file = createWriteStream(to, { mode: 0o700 });
  await pipeline(createReadStream(from), createBrotliDecompress({ chunkSize: 2 ** 20 }), file);
}

/** Unpacks the files in one of the package's archives; the browser needs no links or devices. */
export async function unpackArchive(from: string, directory: string): Promise<void> {
  const files = unpackTar(directory, {
    filter: ({ type }) => type === 'file' || type === 'directory',
    fmode: 0o700,
    dmode: 0o700,
  });
  await pipeline(createReadStream(from), createBrotliDecompress({ chunkSize: 2 ** 20 }), files);
}

/** The machine's fonts first, then the package's own, for machines without fonts. */
function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${directory}/fonts</dir>
  <cachedir>${directory}/font-cache</cachedir>
</fontconfig>
`;
}

async function usableCache(): Promise<string> {
  const home = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const candidates = [join(home, 'trifold'), temporaryDirectory()];
  // A relative path would end up in the working directory (XDG Base Directory Specification).
  for (const candidate of candidates.filter((path) => isAbsolute(path))) {
    try {
      await makeDirectory(candidate, 0o700);
      await access(candidate, constants.W_OK);
      if (isOwnDirectory(candidate)) return candidate;
    } catch {
      // No home directory, or a read-only one: try the next candidate.
    }
  }
  throw new SetupError(
    `cannot unpack the browser: this user can write to neither ${candidates.join(' nor ')}: ` +
      'set XDG_CACHE_HOME to a writable directory, or set TRIFOLD_BROWSER to the path of a Chromium executable',
  );
}

/** Removes drafts left by processes that died while unpacking. */
async function sweepDrafts(cache: string, name: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    if (!entry.startsWith(`${name}.`)) continue;
    const [owner = ''] = entry.slice(name.length + 1).split('.');
    if (!isProcessAlive(owner)) await rm(join(cache, entry), { recursive: true, force: true });
  }
}
