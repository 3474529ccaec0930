import { readdir, readFile } from 'node:fs/promises';

const BYTES_PER_KIB = 1024;
/** Field of /proc/<pid>/stat, counted from after the command name. */
const GROUP = 2;

/**
 * Returns the private memory of the processes in a group, in bytes: resident memory without shared pages. 0 on systems
 * without /proc.
 */
export async function groupMemoryBytes(group: number): Promise<number> {
  const entries = await readdir('/proc').catch((): string[] => []);
  const members = await Promise.all(
    entries.filter((name) => /^\d+$/.test(name)).map((pid) => ownBytes(pid, group)),
  );
  return members.reduce((sum, bytes) => sum + bytes, 0);
}

async function ownBytes(pid: string, group: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[GROUP]) !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    // gVisor has only the sum with shared pages.
    const own = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? /^VmRSS:\s+(\d+) kB$/m.exec(status);
    return Number(own?.[1] ?? 0) * BYTES_PER_KIB;
  } catch {
    // The process has exited in the meantime.
    return 0;
  }
}
