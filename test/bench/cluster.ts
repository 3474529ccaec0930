import { GENERATION_JOB } from '@trifold/crds';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/cluster-processes.ts';
import { eventually } from '../support/conditions.ts';
import { BenchClient } from './bench-client.ts';
import { BROWSERS, compare, type Comparison, type Pace } from './comparison.ts';
import type { Invoice } from './invoice.ts';
import { processorTimes } from './processor-time.ts';
import { printTable, rounded, throughput, waitBeyondPrint } from './report.ts';
import { closedLoop, rate } from './statistics.ts';

/** Finished jobs are deleted after this time, so that their deletes are part of what is measured. */
const TIME_TO_LIVE_S = 1;
/** Until finished jobs are deleted at the rate at which others are made. */
const LEAD_IN_MS = (TIME_TO_LIVE_S + 1) * 1000;
const SETTLE_DEADLINE_MS = 60_000;
/** Clients in the measurement of what a document costs. */
const COST_CLIENTS = 8;

/**
 * The services of a cluster as processes of this machine: a gateway, two controllers of which one leads, a renderer,
 * over a real kube-apiserver with etcd, a real Redis and a real MinIO.
 */
export async function benchCluster(invoice: Invoice, pace: Pace): Promise<void> {
  const missing = whyNoClusterProcesses();
  if (missing) throw new Error(`the cluster cannot be measured here: ${missing} (see CONTRIBUTING.md)`);
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

/** What a document costs: writes to the API server, and processor time of each part, its delete included. */
async function measureCosts(
  cluster: ClusterProcesses,
  generate: () => Promise<void>,
  milliseconds: number,
): Promise<void> {
  const [writesBefore, timesBefore] = [await cluster.writes(), processorTimes()];
  const { latencies } = await closedLoop(COST_CLIENTS, milliseconds, generate);
  await nothingLeft(cluster);
  const [writes, times] = [await cluster.writes(), processorTimes()];
  const each = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
    [...after]
      .map(([what, amount]) => [what, (amount - (before.get(what) ?? 0)) / latencies.length] as const)
      .filter(([, amount]) => amount > 0);

  const perDocument = each(writesBefore, writes);
  const total = perDocument.reduce((sum, [, amount]) => sum + amount, 0);
  const parts = perDocument.map(([what, amount]) => `${what} ${amount.toFixed(2)}`).join(', ');
  console.log(`writes a document: ${total.toFixed(2)} (target ≤ 3): ${parts}`);
  console.log(`processor time a document at ${COST_CLIENTS} clients, ${latencies.length} documents:`);
  const rows = each(timesBefore, times).toSorted(([, left], [, right]) => right - left);
  const sum = rows.reduce((all, [, amount]) => all + amount, 0);
  console.table([...rows, ['all', sum] as const].map(([part, ms]) => ({ part, ms: rounded(ms) })));
}

/** Resolves when every job that was made has been deleted. */
async function nothingLeft({ kubernetes }: ClusterProcesses): Promise<void> {
  const jobs = kubernetes.resource(GENERATION_JOB);
  const left = async () => (await jobs.list({ limit: 1 })).items.length === 0;
  await eventually('every job is deleted', left, { deadlineMs: SETTLE_DEADLINE_MS });
}
