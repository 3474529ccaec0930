import { realpath } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { unpackBundledBrowser } from './bundled-browser.ts';
import { isExecutable, runsWith, wrappedProgram, type BrowserBinary } from './browser-program.ts';

export interface FindBrowserOptions {
  /** TRIFOLD_BROWSER: the path of the only browser to use, or `bundled`. */
  readonly configured?: string | undefined;
  /** Directories to search in addition to the usual ones. @default process.env.PATH */
  readonly path?: string | undefined;
  /** The usual directories; tests pass their own. */
  readonly usualDirectories?: readonly string[];
  /** Platform and architecture. @default this machine */
  readonly machine?: Machine;
}

interface Machine {
  readonly platform: string;
  readonly arch: string;
}

/** Value of TRIFOLD_BROWSER that selects the npm package's browser, regardless of the machine's browsers. */
const BUNDLED = 'bundled';

const HEADLESS_SHELLS = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];

/** Full browsers take three times as long for a small document, and differ in errors and metadata (docs/adr/0002). */
const FULL_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const USUAL_DIRECTORIES = [
  '/usr/bin',
  '/usr/local/bin',
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/opt/google/chrome',
  '/opt/chrome-headless-shell',
];

/**
 * Returns the configured browser, else a headless shell on the machine, else the one in the npm package, unpacked once.
 * Uses a full browser on the machine only where the npm package cannot run. Rejects with SetupError.
 */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<BrowserBinary> {
  const { configured, machine = process } = options;
  if (configured === BUNDLED) return bundledBrowser(machine);
  if (configured !== undefined) return configuredBrowser(configured);
  return (await machineBrowser(HEADLESS_SHELLS, options)) ?? bundledOrFullBrowser(machine, options);
}

async function bundledOrFullBrowser(machine: Machine, options: FindBrowserOptions): Promise<BrowserBinary> {
  try {
    return await bundledBrowser(machine);
  } catch (error) {
    const found = await machineBrowser(FULL_BROWSERS, options);
    if (found === undefined) throw error;
    return found;
  }
}

async function configuredBrowser(executable: string): Promise<BrowserBinary> {
  if (!(await isExecutable(executable))) {
    throw new SetupError(
      `TRIFOLD_BROWSER is ${executable}, which is not an executable file: set it to the path of a Chromium executable or to ${BUNDLED}, or unset it`,
    );
  }
  return { executable: await wrappedProgram(executable), environment: {}, source: 'configured' };
}

async function machineBrowser(
  names: readonly string[],
  options: FindBrowserOptions,
): Promise<BrowserBinary | undefined> {
  const path = options.path ?? process.env['PATH'] ?? '';
  const directories = new Set([...path.split(delimiter), ...(options.usualDirectories ?? USUAL_DIRECTORIES)]);
  for (const name of names) {
    for (const directory of directories) {
      const executable = join(directory, name);
      if (directory !== '' && (await isUsable(executable))) {
        return { executable: await wrappedProgram(executable), environment: {}, source: 'machine' };
      }
    }
  }
  return undefined;
}

async function bundledBrowser({ platform, arch }: Machine): Promise<BrowserBinary> {
  if (platform !== 'linux' || arch !== 'x64') {
    throw new SetupError(
      `the Chromium that is bundled with the npm packages is for Linux x64, not ${platform} ${arch}: ` +
        `install ${packageFor(platform)}, or set TRIFOLD_BROWSER to the path of a Chromium executable`,
    );
  }
  return { ...(await unpackBundledBrowser()), source: 'bundled' };
}

function packageFor(platform: string): string {
  if (platform === 'linux') return 'one (on Debian: apt install chromium-headless-shell)';
  if (platform === 'darwin') return 'one (npx @puppeteer/browsers install chrome-headless-shell)';
  return 'one';
}

/**
 * Whether the executable exists and starts. Snaps are skipped: they cannot read the directories that we pass to them.
 */
async function isUsable(executable: string): Promise<boolean> {
  if (!(await isExecutable(executable))) return false;
  const real = await realpath(executable);
  if (real.startsWith('/snap/') || basename(real) === 'snap') return false;
  return runsWith(executable, {});
}
