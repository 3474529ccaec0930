import { readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** Bytes of a memory page if the system does not report it. */
const USUAL_PAGE_BYTES = 4096;
/** `AT_PAGESZ` in the auxiliary vector, which consists of type-value pairs of words (getauxval(3)). */
const PAGE_SIZE_ENTRY = 6n;
const WORD = 8;

const RESIDENT = 1;
const SHARED = 2;
/** Field of /proc/<pid>/stat, counted from after the command name. */
const GROUP = 2;

/**
 * Returns the private memory of the processes in a group, in bytes: resident pages without shared ones. 0 on systems
 * without /proc.
 */
export async function groupMemoryBytes(group: number): Promise<number> {
  const entries = await readdir('/proc').catch((): string[] => []);
  const members = await Promise.all(
    entries.filter((name) => /^\d+$/.test(name)).map((pid) => ownPages(pid, group)),
  );
  const pages = members.reduce((sum, count) => sum + count, 0);
  return pages * (await pageBytes(group));
}

async function ownPages(pid: string, group: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[GROUP]) !== group) return 0;
    const pages = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ').map(Number);
    return (pages[RESIDENT] ?? 0) - (pages[SHARED] ?? 0);
  } catch {
    // The process has exited in the meantime.
    return 0;
  }
}

/**
 * Returns the bytes of a memory page: 4 KiB on most machines, 16 or 64 KiB on some arm64 machines. Asks the leader of the
 * group, because our images let this process not read its own auxiliary vector (deploy/Dockerfile).
 */
async function pageBytes(group: number): Promise<number> {
  return pageBytesIn(await readFile(`/proc/${group}/auxv`).catch(() => Buffer.alloc(0)));
}

/** Returns the page size from an auxiliary vector of 64-bit words, in bytes. */
export function pageBytesIn(vector: Buffer): number {
  const { buffer, byteOffset, byteLength } = vector;
  const view = new DataView(buffer, byteOffset, byteLength);
  const littleEndian = endianness() === 'LE';
  for (let at = 0; at + 2 * WORD <= byteLength; at += 2 * WORD) {
    if (view.getBigUint64(at, littleEndian) === PAGE_SIZE_ENTRY) {
      return Number(view.getBigUint64(at + WORD, littleEndian));
    }
  }
  return USUAL_PAGE_BYTES;
}
