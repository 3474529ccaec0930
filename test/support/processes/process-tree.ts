import { readdirSync, readFileSync } from 'node:fs';

/** A Linux process; the start time distinguishes it from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly command: string;
}

interface ProcessInfo extends ProcessIdentity {
  readonly parent: number;
  readonly state: string;
}

/** Returns every running descendant of `root`, without `root`. */
export function descendantsOf(root: number): ProcessIdentity[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => processInfo(Number(entry)))
    .filter((info) => info !== undefined);
  const below = new Set([root]);
  for (let before = 0; before !== below.size;) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  below.delete(root);
  return all.filter(({ pid, state }) => below.has(pid) && state !== 'Z');
}

/** Returns the processes that are still running; zombies do not count. */
export function stillRunning(processes: readonly ProcessIdentity[]): ProcessIdentity[] {
  return processes.filter(({ pid, startTime }) => {
    const now = processInfo(pid);
    return now?.startTime === startTime && now.state !== 'Z';
  });
}

/** Linux counts CPU time in hundredths of a second (USER_HZ), regardless of the kernel's tick rate. */
const TICK_MS = 10;

/** Returns the processor time of a running process and of its ended children, in milliseconds. Linux. */
export function processorTime(pid: number): number {
  return (
    fieldsOf(pid)
      // User and system time.
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
  );
}

/** Returns the user and system time of a running process, or of one of its threads, in milliseconds. Linux. */
export function processorTimes(
  pid: number,
  thread?: number,
): { readonly user: number; readonly system: number } {
  const [user, system] = fieldsOf(thread === undefined ? pid : `${pid}/task/${thread}`)
    .slice(11, 13)
    .map((ticks) => Number(ticks) * TICK_MS) as [number, number];
  return { user, system };
}

/** Fields of /proc/[pid]/stat from the third one on (proc(5)). */
function fieldsOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain any character; the fields after it are plain.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function processInfo(pid: number): ProcessInfo | undefined {
  try {
    const fields = fieldsOf(pid);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const [state = '', parent = '0'] = fields;
    return { pid, command, state, parent: Number(parent), startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
