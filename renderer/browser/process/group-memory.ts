import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

const BYTES_PER_KIB = 1024;
/** Takes about 1 ms to read. */
const PROCESSES_PER_TURN = 100;
/** Longer than `status`, which has about 1.5 KB. */
const buffer = Buffer.alloc(16 * BYTES_PER_KIB);
/** Index of a field in /proc/<pid>/stat, among those after the command name. */
const GROUP = 2;

/** Memory of a process, in KiB. */
interface ProcessMemory {
  readonly own: number;
  /** Pages of files and of shared memory; Chromium also shares memory through files. */
  readonly shareable: number;
}

const NONE: ProcessMemory = { own: 0, shareable: 0 };

/**
 * Returns the resident memory of the processes in a group, in bytes: the private memory of all, plus the shareable
 * memory of the process that has the most. A browser's processes map the same program and the same shared memory, so
 * the sum would count each page several times. `smaps_rollup` would be exact, but a sandboxed process hides it. 0 on
 * systems without /proc.
 */
export async function groupMemoryBytes(group: number): Promise<number> {
  const entries = await readdir('/proc').catch((): string[] => []);
  const members: ProcessMemory[] = [];
  for (const [index, pid] of entries.filter((name) => /^\d+$/.test(name)).entries()) {
    if (index % PROCESSES_PER_TURN === 0) await setImmediate();
    members.push(memoryOf(pid, group));
  }
  const own = members.reduce((sum, member) => sum + member.own, 0);
  const shareable = members.reduce((most, member) => Math.max(most, member.shareable), 0);
  return (own + shareable) * BYTES_PER_KIB;
}

function memoryOf(pid: string, group: number): ProcessMemory {
  try {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[GROUP]) !== group) return NONE;
    const status = read(`/proc/${pid}/status`);
    const kib = (name: string) => {
      const value = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
      return value === undefined ? undefined : Number(value);
    };
    // gVisor reports only the total including shared pages.
    const own = kib('RssAnon') ?? kib('VmRSS') ?? 0;
    return { own, shareable: (kib('RssFile') ?? 0) + (kib('RssShmem') ?? 0) };
  } catch {
    // The process has exited in the meantime.
    return NONE;
  }
}

/** Synchronous: asynchronous reads of such files take five times as long, and allocate 64 KiB each. */
function read(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}
