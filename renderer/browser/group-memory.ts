import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;
const RESIDENT = 1;
const SHARED = 2;
/** Field of /proc/<pid>/stat, counted from behind the command's name. */
const GROUP = 2;

/**
 * Memory that the processes of a group hold for themselves, in bytes: resident pages without shared ones.
 * 0 where the system has no /proc.
 */
export async function groupMemoryBytes(group: number): Promise<number> {
  const entries = await readdir('/proc').catch((): string[] => []);
  const members = await Promise.all(
    entries.filter((name) => /^\d+$/.test(name)).map((pid) => own(pid, group)),
  );
  return members.reduce((sum, bytes) => sum + bytes, 0);
}

async function own(pid: string, group: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[GROUP]) !== group) return 0;
    const pages = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ').map(Number);
    return ((pages[RESIDENT] ?? 0) - (pages[SHARED] ?? 0)) * PAGE_BYTES;
  } catch {
    // Gone in the meantime.
    return 0;
  }
}
