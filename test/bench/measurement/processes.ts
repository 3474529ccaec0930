import { descendantsOf } from '../../support/processes/process-tree.ts';

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
  ['browser launcher', /^\S+ renderer\/browser\/launcher\/main\.ts/],
  ['merge processes', /^\S+ .*merge-process\.ts/],
];

/**
 * Adds up what `read` returns for this process and all its running descendants, by kind. Empty on anything but Linux,
 * whose /proc lists the processes.
 */
export function sumByKind(read: (pid: number) => number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  if (process.platform !== 'linux') return sums;
  const add = (kind: string, pid: number) => sums.set(kind, (sums.get(kind) ?? 0) + read(pid));
  add('load generator', process.pid);
  for (const { pid, command } of descendantsOf(process.pid)) {
    add(KINDS.find(([, pattern]) => pattern.test(command))?.[0] ?? 'others', pid);
  }
  return sums;
}
