import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { ClusterProcesses } from '../../support/processes/cluster-processes.ts';
import { timeOf } from './cold-start.ts';
import type { Results } from './results.ts';
import type { SeededAccount } from './seeded-account.ts';

const CLIENTS = 4;
const LOAD_BEFORE_MS = 5_000;
const LEADS_WITHIN_MS = 10 * 60_000;
/** Maximum time from the last renewal of a dead leader until another controller leads (docs/adr/0006). */
const TAKES_OVER_MS = 12_500;

/**
 * Kills the leading controller under the load of synchronous requests. Measures the time until the standby leads, and
 * until requests that were sent after the kill have their documents.
 */
export async function measureFailover(
  cluster: ClusterProcesses,
  account: SeededAccount,
  results: Results,
): Promise<void> {
  const leader = await cluster.leader();
  const standby = await eventually(async () => (await cluster.standbys())[0] ?? false);
  const load = new AbortController();
  const loops = Array.from({ length: CLIENTS }, async () => {
    while (!load.signal.aborted) await account.generate();
  });
  const failover = async () => {
    await sleep(LOAD_BEFORE_MS);
    await leader.kill();
    const killedAt = Date.now();
    const took = async (work: Promise<void>) => work.then(() => Date.now() - killedAt);
    const [line, asynchronous, synchronous] = await Promise.all([
      standby.says('started leading', LEADS_WITHIN_MS),
      took(account.generateLater()),
      took(untilCompleted(account)),
    ]);
    results.add('failover: the standby leads', timeOf(line) - killedAt, 'ms', TAKES_OVER_MS);
    results.add('failover: next asynchronous document', asynchronous, 'ms');
    results.add('failover: next synchronous request', synchronous, 'ms');
  };
  await Promise.all([...loops, failover().finally(() => load.abort())]);
}

/** Repeats a synchronous request until it has its document. */
async function untilCompleted(account: SeededAccount): Promise<void> {
  for (let status = ''; status !== 'completed';) status = await account.generate();
}
