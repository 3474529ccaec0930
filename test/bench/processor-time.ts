import { readFileSync } from 'node:fs';
import { descendantsOf } from '../support/process-tree.ts';

/** Linux counts processor time in hundredths of a second (USER_HZ), whatever its kernel ticks at. */
const TICK_MS = 10;

/** What runs beside this process, by its program, or by the file that Node runs. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['browsers', /^\S*(chrom|headless)/i],
  ['kube-apiserver', /^\S*kube-apiserver /],
  ['etcd', /^\S*etcd /],
  ['MinIO', /^\S*minio /],
  ['Redis', /^\S*redis-server /],
  ['gateway', /^\S+ api-gateway\/main\.ts/],
  ['controllers', /^\S+ controller\/main\.ts/],
  ['renderer', /^\S+ renderer\/main\.ts/],
  ['merge processes', /^\S+ .*merge-process\.ts/],
];

/**
 * Processor time so far, in milliseconds, of this process and of all that it started and that still run, by kind.
 * Reads /proc: empty on anything but Linux.
 */
export function processorTimes(): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  if (process.platform !== 'linux') return times;
  const add = (kind: string, pid: number) => times.set(kind, (times.get(kind) ?? 0) + timeOf(pid));
  add('load generator', process.pid);
  for (const { pid, command } of descendantsOf(process.pid)) {
    add(KINDS.find(([, pattern]) => pattern.test(command))?.[0] ?? 'others', pid);
  }
  return times;
}

function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may hold anything. User and system time, its own and of children that have ended,
    // are fields 14 to 17 (proc(5)): what a child used stays counted.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  } catch {
    return 0;
  }
}
