import { realpath } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { BrowserNotFoundError } from './browser-not-found-error.ts';
import { unpackBundledBrowser } from './bundled-browser.ts';
import { runsWith } from './runs-with.ts';
import { isExecutable, wrappedProgram } from './wrapped-program.ts';

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
  /** Which machine this is. @default this one */
  readonly machine?: { readonly platform: string; readonly arch: string };
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

/**
 * The configured browser, else one of the machine, else the one that comes with npm, unpacked once. Rejects with
 * BrowserNotFoundError.
 */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<BrowserBinary> {
  if (options.configured !== undefined) return configuredBrowser(options.configured);
  const found = await machineBrowser(options);
  return found ?? (await bundledBrowser(options.machine ?? process));
}

async function configuredBrowser(executable: string): Promise<BrowserBinary> {
  if (!(await isExecutable(executable))) {
    throw new BrowserNotFoundError(
      `TRIFOLD_BROWSER is ${executable}, which is not an executable file: give the path of a Chromium, or unset it`,
    );
  }
  return { executable: await wrappedProgram(executable), environment: {}, source: 'configured' };
}

async function machineBrowser(options: FindBrowserOptions): Promise<BrowserBinary | undefined> {
  const path = options.path ?? process.env['PATH'] ?? '';
  const directories = new Set([...path.split(delimiter), ...(options.places ?? PLACES)]);
  for (const name of NAMES) {
    for (const directory of directories) {
      const executable = join(directory, name);
      if (directory !== '' && (await isUsable(executable))) {
        return { executable: await wrappedProgram(executable), environment: {}, source: 'machine' };
      }
    }
  }
  return undefined;
}

async function bundledBrowser({
  platform,
  arch,
}: {
  platform: string;
  arch: string;
}): Promise<BrowserBinary> {
  if (platform !== 'linux' || arch !== 'x64') {
    throw new BrowserNotFoundError(
      `no Chromium was found on this machine, and the one that comes with npm is for linux x64, not ${platform} ${arch}: ` +
        `install ${packageFor(platform)}, or name a Chromium in TRIFOLD_BROWSER`,
    );
  }
  return { ...(await unpackBundledBrowser()), source: 'bundled' };
}

function packageFor(platform: string): string {
  if (platform === 'linux') return 'one (on Debian: apt install chromium-headless-shell)';
  if (platform === 'darwin') return 'one (npx @puppeteer/browsers install chrome-headless-shell)';
  return 'one';
}

/** Whether it is there and starts. A snap is passed over: it cannot see the directories we give to it. */
async function isUsable(executable: string): Promise<boolean> {
  if (!(await isExecutable(executable))) return false;
  const real = await realpath(executable);
  if (real.startsWith('/snap/') || basename(real) === 'snap') return false;
  return runsWith(executable, {});
}
