import { spawnSync } from 'node:child_process';

/**
 * From util-linux, which every Debian system includes. Sets a signal that the kernel sends when the parent has ended.
 */
const SETPRIV = '/usr/bin/setpriv';
const OPTIONS = ['--pdeathsig', 'KILL', '--'];

/** Argument that tells a process that it cannot outlive its parent. */
const TIED = 'tied';

/** How to run Node, for `fork`. */
export interface NodeCommand {
  readonly execPath: string;
  readonly execArgv: string[];
  /** Arguments for the module. */
  readonly args: string[];
}

let isAvailable: boolean | undefined;

/**
 * Returns how to run Node so that the process ends when this one does, even if this one is killed. Where the machine
 * cannot do that, `isTied` is false in the process.
 */
export function tiedNode(execArgv: readonly string[]): NodeCommand {
  isAvailable ??= process.platform === 'linux' && spawnSync(SETPRIV, [...OPTIONS, 'true']).status === 0;
  if (!isAvailable) return { execPath: process.execPath, execArgv: [...execArgv], args: [] };
  return { execPath: SETPRIV, execArgv: [...OPTIONS, process.execPath, ...execArgv], args: [TIED] };
}

/** Whether the kernel ends this process when its parent has ended. */
export function isTied(): boolean {
  return process.argv[2] === TIED;
}
