import { readFileSync } from 'node:fs';
import { sumByKind } from './processes.ts';

/** Returns the resident memory in MiB, by kind, of this process and of all its running descendants. */
export function residentMemory(): ReadonlyMap<string, number> {
  return sumByKind(residentMiB);
}

function residentMiB(pid: number): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
}
