import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** A page of memory where the system does not tell, in bytes. */
const USUAL_PAGE_BYTES = 4096;
/** `AT_PAGESZ` in the auxiliary vector, which is pairs of words of a type and a value (getauxval(3)). */
const PAGE_SIZE_ENTRY = 6n;
const WORD = 8;

const RESIDENT = 1;
const SHARED = 2;
/** Field of /proc/<pid>/stat, counted from behind the command's name. */
const GROUP = 2;

/** A page of this machine's memory, in bytes: 4 KiB on most, 16 or 64 KiB on some of arm64. */
const PAGE_BYTES = pageBytesIn(ownAuxiliaryVector());

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

/** The size of a page that an auxiliary vector of 64-bit words tells, in bytes. */
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

function ownAuxiliaryVector(): Buffer {
  try {
    return readFileSync('/proc/self/auxv');
  } catch {
    return Buffer.alloc(0);
  }
}
