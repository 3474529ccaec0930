import { readFileSync } from 'node:fs';
import { descendantsOf } from '../../support/processes/process-tree.ts';

/** Linux counts processor time in hundredths of a second (USER_HZ), whatever its kernel ticks at. */
const TICK_MS = 10;

/** Names of the other processes, by their program, or by the file that Node runs. */
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
 * Returns the processor time so far, in milliseconds and by kind, of this process and of all its running descendants.
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
    // The name is in parentheses and may contain any character. Fields 14 to 17 are user and system time, of the
    // process and of its ended children (proc(5)), so the time of ended children stays counted.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  } catch {
    return 0;
  }
}
