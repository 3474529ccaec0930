import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';
import { BareLoop } from './measurement/bare-loop.ts';
import { BROWSERS, type Pace } from './measurement/comparison.ts';
import {
  costPerDocument,
  MAIN_THREAD,
  ownBrowserCosts,
  ownCost,
  serviceCosts,
  type Cost,
  type Costs,
} from './measurement/cost.ts';
import { partShares, type CpuProfile } from './measurement/profile-parts.ts';
import { rounded } from './measurement/report.ts';
import { closedLoop } from './measurement/statistics.ts';
import { StandaloneService, startArguments } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const CLIENTS = 8;
const WARM_UP_MS = 10_000;

/** One measurement: cost by part, and the time available on the machine's cores, in milliseconds per document. */
interface Round {
  readonly costs: Costs;
  readonly machineMs: number;
}

/**
 * Measures the CPU time of a document by part and process, for the service with eight clients and for browsers that
 * draw no frames, in alternating rounds. A profile, in one more round, divides the time of the main thread. Linux.
 */
export async function benchCost(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const folder = await temporaryDirectory();
  const profile = join(folder, 'profile.json');
  const preload = '--import=./test/bench/services/profile-on-signal.ts';
  const service = await StandaloneService.start({ TRIFOLD_BENCH_PROFILE: profile }, [
    process.execPath,
    preload,
    ...startArguments(),
  ]);
  const bare = await BareLoop.open(BROWSERS, 'unseen');
  try {
    const { pid } = service.process;
    const generate = await service.client.prepare(invoice);
    const print = async (client: number) => void (await bare.print(client, invoice));
    const serve = () =>
      measure(milliseconds, CLIENTS, generate, () => withOwn('load generator', serviceCosts(pid)));
    const printBare = () =>
      measure(milliseconds, BROWSERS, print, () => withOwn('CDP of the baseline', ownBrowserCosts(pid)));
    await closedLoop(CLIENTS, WARM_UP_MS, generate);
    await closedLoop(BROWSERS, WARM_UP_MS / 2, print);
    const served: Round[] = [];
    const printed: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      served.push(await serve());
      printed.push(await printBare());
    }
    process.kill(pid, 'SIGUSR2');
    await serve();
    process.kill(pid, 'SIGUSR2');
    await eventually(() => existsSync(profile));
    const shares = await eventually(() =>
      partShares(JSON.parse(readFileSync(profile, 'utf8')) as CpuProfile),
    );
    printCosts(medianRound(served), medianRound(printed), shares);
  } finally {
    await bare.close();
    await service.stop();
    await removeDirectory(folder);
  }
}

async function measure(
  milliseconds: number,
  clients: number,
  work: (client: number) => Promise<void>,
  take: () => Costs,
): Promise<Round> {
  const before = take();
  const { latencies, elapsed } = await closedLoop(clients, milliseconds, work);
  const documents = latencies.length;
  return {
    costs: costPerDocument(before, take(), documents),
    machineMs: (elapsed * availableParallelism()) / documents,
  };
}

function withOwn(part: string, costs: Costs): Costs {
  return new Map([...costs, [part, ownCost()]]);
}

/** Returns the round with the median machine time: its parts belong together, unlike medians of each part. */
function medianRound(rounds: readonly Round[]): Round {
  const sorted = rounds.toSorted((left, right) => left.machineMs - right.machineMs);
  return sorted[Math.floor(sorted.length / 2)] as Round;
}

function printCosts(service: Round, bare: Round, shares: ReadonlyMap<string, number>): void {
  console.log('CPU time per document in milliseconds; the baseline does not merge the template:');
  const parts = [...new Set([...service.costs.keys(), ...bare.costs.keys()])];
  const rows = parts.map((part) => ({
    part,
    ...columns('', service.costs.get(part)),
    ...columns('baseline ', bare.costs.get(part)),
  }));
  console.table(rows.filter((row) => Object.values(row).some((value) => Number(value) >= 0.05)));
  const main = totalOf(service.costs.get(MAIN_THREAD));
  console.log('of it on the main thread, by part (from a profile):');
  console.table(
    [...shares]
      .toSorted(([, left], [, right]) => right - left)
      .map(([part, share]) => ({ part, 'CPU ms': rounded(share * main) })),
  );
  const [sum, bareSum] = [sumOf(service.costs), sumOf(bare.costs)];
  const difference = service.machineMs - bare.machineMs;
  console.log(
    `machine time per document: service ${rounded(service.machineMs)} ms, baseline ${rounded(bare.machineMs)} ms; ` +
      `the parts (${rounded(sum)} and ${rounded(bareSum)} ms) explain ` +
      `${Math.round((100 * (sum - bareSum)) / difference)} % of the difference (target ≥ 90 %)`,
  );
}

function columns(prefix: string, cost: Cost | undefined) {
  return {
    [`${prefix}user`]: rounded(cost?.user ?? 0),
    [`${prefix}system`]: rounded(cost?.system ?? 0),
  };
}

function totalOf(cost: Cost | undefined): number {
  return (cost?.user ?? 0) + (cost?.system ?? 0);
}

function sumOf(costs: Costs): number {
  return [...costs.values()].reduce((sum, cost) => sum + totalOf(cost), 0);
}
