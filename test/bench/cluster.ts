import { GENERATION_JOB } from '@trifold/crds';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { BenchClient } from './workload/bench-client.ts';
import { BROWSERS, compare, type Comparison, type Pace } from './measurement/comparison.ts';
import type { Invoice } from './workload/invoice.ts';
import { processorTimes } from './measurement/processes.ts';
import { printTable, rounded, throughput, waitBeyondPrint } from './measurement/report.ts';
import { closedLoop, rate } from './measurement/statistics.ts';

/** Lifetime of finished jobs; short, so that the measurement includes their deletion. */
const TIME_TO_LIVE_S = 1;
/** Time until finished jobs are deleted as fast as new ones are created. */
const LEAD_IN_MS = (TIME_TO_LIVE_S + 1) * 1000;
const SETTLE_DEADLINE_MS = 60_000;
/** Client counts in the cost measurements. */
const COST_CLIENTS = [8, 32];

/**
 * Measures a cluster's services as local processes: a gateway, two controllers (one of them leading) and a renderer,
 * with a real kube-apiserver and etcd, a real Redis and a real MinIO.
 */
export async function benchCluster(invoice: Invoice, pace: Pace): Promise<void> {
  const missing = whyNoClusterProcesses();
  if (missing) throw new Error(`the cluster cannot be measured here: ${missing} (see docs/testing.md)`);
  const cluster = await ClusterProcesses.start({
    environment: {
      TRIFOLD_BROWSERS: String(BROWSERS),
      TRIFOLD_TTL_SECONDS_AFTER_FINISHED: String(TIME_TO_LIVE_S),
    },
  });
  const client = new BenchClient(cluster.url, cluster.live.key ?? '');
  try {
    const generate = await client.prepare(invoice);
    const settled = () => nothingLeft(cluster);
    printComparison(await compare({ generate, leadInMs: LEAD_IN_MS, settled }, invoice, pace));
    await measureCosts(cluster, generate, pace.milliseconds);
  } finally {
    client.close();
    await cluster.stop();
  }
}

function printComparison(comparison: Comparison): void {
  printTable(comparison);
  const more = waitBeyondPrint(comparison).toFixed(1);
  console.log(`synchronous p50 at one client: bare render + ${more} ms (target ≤ 60 ms)`);
  const most = Math.max(...[...comparison.service.values()].map(rate));
  console.log(
    `throughput: ${throughput(comparison, 8).toFixed(1)} documents/s at 8 clients, ${most.toFixed(1)} at most (target ≥ 20)`,
  );
}

/**
 * Measures the cost of a document by number of clients: its writes to the API server, and the CPU time of each part.
 */
async function measureCosts(
  cluster: ClusterProcesses,
  generate: () => Promise<void>,
  milliseconds: number,
): Promise<void> {
  const columns: [clients: number, times: Amounts][] = [];
  for (const clients of COST_CLIENTS) {
    const [writesBefore, timesBefore] = [await cluster.writes(), processorTimes()];
    const { latencies } = await closedLoop(clients, milliseconds, generate);
    await nothingLeft(cluster);
    const [writes, times] = [await cluster.writes(), processorTimes()];
    printWrites(clients, shareOf(latencies.length, writesBefore, writes));
    columns.push([clients, shareOf(latencies.length, timesBefore, times)]);
  }
  printTimes(columns);
}

type Amounts = ReadonlyMap<string, number>;

/** Returns the increase of each amount per document. */
function shareOf(documents: number, before: Amounts, after: Amounts): Amounts {
  return new Map([...after].map(([what, amount]) => [what, (amount - (before.get(what) ?? 0)) / documents]));
}

function totalOf(amounts: Amounts): number {
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}

function printWrites(clients: number, writes: Amounts): void {
  const parts = [...writes].filter(([, amount]) => amount > 0);
  const list = parts.map(([what, amount]) => `${what} ${amount.toFixed(2)}`).join(', ');
  const total = totalOf(writes).toFixed(2);
  console.log(`writes a document at ${clients} clients: ${total} (target ≤ 3): ${list}`);
}

function printTimes(columns: readonly (readonly [clients: number, times: Amounts])[]): void {
  const [[, first] = [0, new Map<string, number>()]] = columns;
  const parts = [...first].toSorted(([, left], [, right]) => right - left).map(([part]) => part);
  const row = (part: string, of: (times: Amounts) => number) => ({
    part,
    ...Object.fromEntries(columns.map(([clients, times]) => [`${clients} clients`, rounded(of(times))])),
  });
  console.log('processor time a document, its delete included, in milliseconds:');
  console.table([...parts.map((part) => row(part, (times) => times.get(part) ?? 0)), row('all', totalOf)]);
}

/** Resolves when all created jobs are deleted. */
async function nothingLeft({ kubernetes }: ClusterProcesses): Promise<void> {
  const jobs = kubernetes.resource(GENERATION_JOB);
  const left = async () => (await jobs.list({ limit: 1 })).items.length === 0;
  await eventually(left, { timeoutMs: SETTLE_DEADLINE_MS });
}
