import { readFileSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;

/**
 * Returns when a process started, in kernel ticks since boot; undefined if the system does not report it (the identity
 * then has '0'). It distinguishes a process from an earlier one with the same pid (in a container the pid is always 1).
 */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name, in parentheses, can contain any character; count the fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[FIELDS_BEFORE_START_TIME];
  } catch {
    return undefined;
  }
}

/** Returns `<pid>-<start time>`, to mark files that are useless once this process has ended. */
export function processIdentity(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? '0'}`;
}

/** Whether the process with this identity is still running on this machine. False for an invalid string. */
export function isProcessAlive(identity: string): boolean {
  const match = /^(\d{1,10})-(\d+)$/.exec(identity);
  if (!match) return false;
  const pid = Number(match[1]);
  const started = startTimeOf(pid);
  if (started !== undefined) return started === match[2];
  return match[2] === '0' && answersSignals(pid);
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
