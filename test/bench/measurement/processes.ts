import { readFileSync } from 'node:fs';
import { descendantsOf, processorTime } from '../../support/processes/process-tree.ts';

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

/**
 * Returns the CPU time so far of this process and all its running descendants, in milliseconds and by kind. Empty
 * except on Linux.
 */
export function processorTimes(): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  if (process.platform !== 'linux') return sums;
  const add = (kind: string, pid: number) => {
    try {
      sums.set(kind, (sums.get(kind) ?? 0) + processorTime(pid));
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

/**
 * Returns the CPU time so far of the main threads of these processes, in milliseconds, more exact than
 * `processorTimes`. NaN except on Linux.
 */
export function mainThreadTime(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN;
  const nanoseconds = pids.map((pid) => Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, 'utf8'), 10));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
