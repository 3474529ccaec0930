import { execFile } from 'node:child_process';
import { browserEnvironment } from './browser-environment.ts';

/** Generous, because the first read of a browser from a slow disk takes long. */
const ANSWER_MS = 30_000;

/**
 * Whether the browser prints a version: its libraries are installed, and it is neither a placeholder nor a snap. The
 * snap of Chromium adds the word `snap`; `/usr/bin/chromium-browser` of Ubuntu is a script that starts it.
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
