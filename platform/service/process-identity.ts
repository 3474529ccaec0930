import { readFileSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;

/**
 * When a process started, in the kernel's ticks since boot; '0' where the system does not tell. With it a process id
 * that was given out again (in a container it is always 1) is not taken for its former owner.
 */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, may hold anything; the fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[FIELDS_BEFORE_START_TIME];
  } catch {
    return undefined;
  }
}

/** `<pid>-<start time>`, to mark files that are worthless once this process is gone. */
export function processIdentity(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? '0'}`;
}

/** Whether the process that gave the identity still runs on this machine. An unreadable text is nobody's. */
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
