import { readdirSync, readFileSync } from 'node:fs';
import { descendantsOf, processorTimes as userAndSystem } from '../../support/processes/process-tree.ts';

/** CPU time of one part, in milliseconds. */
export interface Cost {
  readonly user: number;
  readonly system: number;
}

export type Costs = ReadonlyMap<string, Cost>;

/** Processes of a service other than its main one, by command line; the first match counts. */
const CHILDREN: readonly (readonly [part: string, command: RegExp])[] = [
  ['browser: renderer process', /--type=renderer/],
  ['browser: GPU process', /--type=gpu-process/],
  ['browser: network process', /--type=utility/],
  ['browser: zygote', /--type=zygote/],
  ['browser: main process', /^\S*(chrom|headless)/i],
  ['merge process', /merge-process\.ts/],
];

/** Threads of Node.js by name. */
const THREADS: readonly (readonly [part: string, name: RegExp])[] = [
  ['service: file threads', /^libuv/],
  ['service: profiler', /^v8:ProfEvntProc/],
  ['service: V8 threads', /^(V8|DelayedTask)/],
];

/** Returns the CPU times so far of the service and its child processes, by part. */
export function serviceCosts(pid: number): Costs {
  const costs = new Map<string, Cost>();
  for (const [part, cost] of threadCosts(pid)) add(costs, part, cost);
  for (const [part, cost] of childCosts(pid, () => true)) add(costs, part, cost);
  return costs;
}

/** Returns the CPU times so far of the browsers that this process started, by part. */
export function ownBrowserCosts(service: number): Costs {
  const others = new Set([service, ...descendantsOf(service).map(({ pid }) => pid)]);
  return childCosts(process.pid, (pid) => !others.has(pid));
}

/** Returns the CPU time so far of this process. */
export function ownCost(): Cost {
  const { user, system } = process.cpuUsage();
  return { user: user / 1000, system: system / 1000 };
}

function childCosts(root: number, isCounted: (pid: number) => boolean): Costs {
  const costs = new Map<string, Cost>();
  for (const { pid, command } of descendantsOf(root).filter(({ pid }) => isCounted(pid))) {
    const part = CHILDREN.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other processes';
    const cost = ignoringEnded(() => userAndSystem(pid));
    if (cost) add(costs, part, cost);
  }
  return costs;
}

function threadCosts(pid: number): Costs {
  const costs = new Map<string, Cost>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const name = ignoringEnded(() => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8')) ?? '';
    const part = THREADS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'service: other threads';
    const cost = ignoringEnded(() => userAndSystem(pid, Number(thread)));
    if (cost) add(costs, thread === String(pid) ? MAIN_THREAD : part, cost);
  }
  return costs;
}

/** Part of the service whose CPU time the profile divides. */
export const MAIN_THREAD = 'service: main thread';

function add(costs: Map<string, Cost>, part: string, { user, system }: Cost): void {
  const sum = costs.get(part) ?? { user: 0, system: 0 };
  costs.set(part, { user: sum.user + user, system: sum.system + system });
}

function ignoringEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the increase of each part per document. */
export function costPerDocument(before: Costs, after: Costs, documents: number): Costs {
  return new Map(
    [...after].map(([part, { user, system }]) => {
      const earlier = before.get(part) ?? { user: 0, system: 0 };
      return [
        part,
        { user: (user - earlier.user) / documents, system: (system - earlier.system) / documents },
      ];
    }),
  );
}
