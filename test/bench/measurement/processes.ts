import { readFileSync } from 'node:fs';
import { descendantsOf } from '../../support/processes/process-tree.ts';

/** Names of the other processes, by program or by the file that Node runs. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['browsers', /^\S*(chrom|headless)/i],
  ['kube-apiserver', /^\S*kube-apiserver /],
  ['etcd', /^\S*etcd /],
  ['MinIO', /^\S*minio /],
  ['Redis', /^\S*redis-server /],
  ['gateway', /^\S+ api-gateway\/main\.ts/],
  ['controllers', /^\S+ controller\/main\.ts/],
  ['renderer', /^\S+ renderer\/main\.ts/],
  ['browser launcher', /^\S+ renderer\/browser\/launcher\/main\.ts/],
  ['merge processes', /^\S+ .*merge-process\.ts/],
];

/** Linux counts CPU time in hundredths of a second (USER_HZ), regardless of the kernel's tick rate. */
const TICK_MS = 10;

/**
 * Returns the CPU time so far of this process and all its running descendants, in milliseconds and by kind. Empty
 * except on Linux.
 */
export function processorTimes(): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  if (process.platform !== 'linux') return sums;
  const add = (kind: string, pid: number) => {
    try {
      sums.set(kind, (sums.get(kind) ?? 0) + timeOf(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    } catch {
      // The process has ended.
    }
  };
  add('load generator', process.pid);
  for (const { pid, command } of descendantsOf(process.pid)) {
    add(KINDS.find(([, pattern]) => pattern.test(command))?.[0] ?? 'others', pid);
  }
  return sums;
}

function timeOf(stat: string): number {
  // The name is in parentheses and may contain any character. Fields 14 to 17 are user and system time, of the process
  // and of its ended children (proc(5)), so the time of ended children is included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}
