import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';

export interface BrowserBinary {
  readonly executable: string;
  /** Environment variables that the browser needs in addition to this process's. */
  readonly environment: Readonly<Record<string, string>>;
  readonly source: 'configured' | 'machine' | 'bundled';
}

const VARIABLES = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'LD_LIBRARY_PATH',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
];

/** Returns the environment variables for a browser, without the service's settings or secrets. */
export function browserEnvironment(): Record<string, string> {
  return Object.fromEntries(
    VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Generous, because the first read of a browser from a slow disk is slow. */
const ANSWER_MS = 30_000;

/**
 * Whether the browser prints a version: its libraries are installed, and it is neither a placeholder nor a snap. The
 * Chromium snap adds the word `snap`; Ubuntu's `/usr/bin/chromium-browser` is a script that starts it.
 */
export async function runsWith(
  executable: string,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = {
    env: { ...browserEnvironment(), ...environment },
    timeout: ANSWER_MS,
    killSignal: 'SIGKILL',
  } as const;
  execFile(executable, ['--version'], options, (error, stdout) =>
    resolve(!error && /\d+\.\d+/.test(stdout) && !/\bsnap\b/.test(stdout)),
  );
  return promise;
}

/** A wrapper is short; a browser is hundreds of megabytes. */
const MAX_WRAPPER_LENGTH = 4096;
/** A line that runs a program by its absolute path, with only the script's arguments. */
const RUN_PROGRAM = /^(\/[^\s"'$]{1,1000}) "\$@"$/;

/**
 * Returns the program that a shell wrapper runs as its child, or `executable` itself. Debian's
 * `chromium-headless-shell` is such a wrapper: it does not `exec`, so its process ID is the shell's and a signal to it
 * does not reach the browser. A wrapper that does more than run a program with the same name is returned unchanged.
 */
export async function wrappedProgram(executable: string): Promise<string> {
  const lines = (await beginningOf(executable)).split('\n').filter((line) => line.trim() !== '');
  const [shebang = '', command = '', ...others] = lines;
  const program = RUN_PROGRAM.exec(command)?.[1];
  if (!shebang.startsWith('#!') || program === undefined || others.length > 0) return executable;
  if (basename(program) !== basename(executable)) return executable;
  return (await isExecutable(program)) ? program : executable;
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_WRAPPER_LENGTH), 0, MAX_WRAPPER_LENGTH, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Whether the path is a file that this process may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
