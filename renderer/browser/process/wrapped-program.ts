import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** A wrapper is short; a browser has hundreds of megabytes. */
const LONGEST_WRAPPER = 4096;
/** A line that runs a program by its absolute path, with the arguments of the script and nothing else. */
const RUN_PROGRAM = /^(\/[^\s"'$]{1,1000}) "\$@"$/;

/**
 * Returns the program that a shell wrapper runs as its child, or `executable` itself. Debian's
 * `chromium-headless-shell` is such a wrapper: it does not `exec`, so its process id is the shell's and a signal to it
 * does not reach the browser. A wrapper that does more than run a program of the same name is returned unchanged.
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
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_WRAPPER), 0, LONGEST_WRAPPER, 0);
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
