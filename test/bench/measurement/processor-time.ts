import { readFileSync } from 'node:fs';
import { sumByKind } from './processes.ts';

/** Linux counts processor time in hundredths of a second (USER_HZ), whatever its kernel ticks at. */
const TICK_MS = 10;

/** Returns the processor time so far, in milliseconds and by kind, of this process and of all its running descendants. */
export function processorTimes(): ReadonlyMap<string, number> {
  return sumByKind(timeOf);
}

function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character. Fields 14 to 17 are user and system time, of the
    // process and of its ended children (proc(5)), so the time of ended children stays counted.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  } catch {
    return 0;
  }
}
