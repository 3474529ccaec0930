import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { unpackBundledBrowser } from './bundled-browser.ts';
import { runsWith } from './runs-with.ts';

/** A browser that can be started. */
export interface BrowserBinary {
  readonly executable: string;
  /** Variables it needs besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly source: 'configured' | 'machine' | 'bundled';
}

export interface FindBrowserOptions {
  /** TRIFOLD_BROWSER: this one or none. */
  readonly configured?: string | undefined;
  /** Where to look, besides the usual places. @default process.env.PATH */
  readonly path?: string | undefined;
  /** Usual places; a test gives its own. */
  readonly places?: readonly string[];
}

/** Headless shells first: they print a small document in a third of the time of a whole browser. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/opt/google/chrome',
  '/opt/chrome-headless-shell',
];

/** No browser can be used; the message says what to do. */
export class BrowserNotFoundError extends Error {
  override readonly name = 'BrowserNotFoundError';
}

/** The configured browser, else one of the machine, else the one that comes with npm, unpacked once. */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<BrowserBinary> {
  if (options.configured !== undefined) return configuredBrowser(options.configured);
  const machine = await machineBrowser(options);
  return machine ?? (await bundledBrowser());
}

async function configuredBrowser(executable: string): Promise<BrowserBinary> {
  if (!(await isExecutable(executable))) {
    throw new BrowserNotFoundError(`TRIFOLD_BROWSER is ${executable}, which is not an executable file`);
  }
  return { executable, environment: {}, source: 'configured' };
}

async function machineBrowser(options: FindBrowserOptions): Promise<BrowserBinary | undefined> {
  const path = options.path ?? process.env['PATH'] ?? '';
  const directories = new Set([...path.split(delimiter), ...(options.places ?? PLACES)]);
  for (const name of NAMES) {
    for (const directory of directories) {
      const executable = join(directory, name);
      if (directory !== '' && (await isUsable(executable))) {
        return { executable, environment: {}, source: 'machine' };
      }
    }
  }
  return undefined;
}

async function bundledBrowser(): Promise<BrowserBinary> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new BrowserNotFoundError(
      `no Chromium was found on this machine, and none comes with npm for ${process.platform} ${process.arch}: ` +
        'install chromium-headless-shell (or Chromium), or name one in TRIFOLD_BROWSER',
    );
  }
  return { ...(await unpackBundledBrowser()), source: 'bundled' };
}

/** Whether it is there and starts. A snap is passed over: it cannot see the directories we give to it. */
async function isUsable(executable: string): Promise<boolean> {
  if (!(await isExecutable(executable))) return false;
  const real = await realpath(executable);
  if (real.startsWith('/snap/') || basename(real) === 'snap') return false;
  return runsWith(executable, {});
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
