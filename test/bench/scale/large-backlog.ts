import { eventually } from '../../support/eventually.ts';
import type { ClusterProcesses } from '../../support/processes/cluster-processes.ts';
import { processorTimes, residentMemory } from '../measurement/processes.ts';
import { rounded } from '../measurement/report.ts';
import { inSequence, type Sequence } from '../measurement/sequence.ts';
import { percentile } from '../measurement/statistics.ts';
import { renderedBy, unfinishedIn } from './cold-start.ts';
import type { Results } from './results.ts';
import { seedJobs, type SeededAccount } from './seeded-account.ts';

const REQUESTS = 100;
const WARM_UP = 20;
const KNOWN_WITHIN_MS = 30 * 60_000;

/** The accounts of the measurement. */
export interface BacklogAccounts {
  /** Has the backlog. */
  readonly busy: SeededAccount;
  /** Sends the synchronous requests. */
  readonly other: SeededAccount;
}

/**
 * Measures synchronous requests of an account, one after another: alone, and beside `pending` asynchronous documents of
 * another account, with the processor time and the memory of the services.
 */
export async function measureBacklog(
  cluster: ClusterProcesses,
  { busy, other }: BacklogAccounts,
  pending: number,
  results: Results,
): Promise<void> {
  const generate = () => other.generate();
  await inSequence(WARM_UP, generate);
  const alone = await inSequence(REQUESTS, generate);
  results.addSequence('synchronous request alone', alone);

  const memoryBefore = residentMemory();
  const now = Date.now();
  await seedJobs(cluster, pending, (index) => busy.copy(new Date(now + index / 100), false));
  results.add('backlog when the requests begin', await knownBacklog(cluster), 'documents');

  const used = await usedDuring(cluster, async () => {
    const behind = await inSequence(REQUESTS, generate);
    results.addSequence('synchronous request beside the backlog', behind);
    results.add('median beside the backlog, of the one alone', median(behind) / median(alone), 'times');
  });
  results.add('documents meanwhile, both accounts', used.documentsPerSecond, 'a second');
  printParts(memoryBefore, used.shares);
  console.log(`requests to the API server meanwhile: ${used.requests}`);
}

/** Resolves when the number of unfinished documents that the leader knows grows no more. */
async function knownBacklog(cluster: ClusterProcesses): Promise<number> {
  let last = -1;
  const isKnown = async () => {
    const before = last;
    last = await unfinishedIn(cluster);
    return last <= before;
  };
  await eventually(isKnown, { timeoutMs: KNOWN_WITHIN_MS, intervalMs: 2_000 });
  return last;
}

interface Used {
  readonly documentsPerSecond: number;
  /** Processor time of each part, in percent of one processor. */
  readonly shares: ReadonlyMap<string, number>;
  /** Requests to the API server, as text. */
  readonly requests: string;
}

async function usedDuring(cluster: ClusterProcesses, work: () => Promise<void>): Promise<Used> {
  const before = await cluster.requests();
  const [beganMs, documents, times] = [performance.now(), await renderedBy(cluster), processorTimes()];
  await work();
  const tookMs = performance.now() - beganMs;
  const documentsPerSecond = (((await renderedBy(cluster)) - documents) * 1000) / tookMs;
  const shareOf = (kind: string, ms: number) => (100 * (ms - (times.get(kind) ?? 0))) / tookMs;
  const shares = new Map([...processorTimes()].map(([kind, ms]) => [kind, shareOf(kind, ms)]));
  const more = [...(await cluster.requests())].map(
    ([what, count]) => [what, count - (before.get(what) ?? 0)] as const,
  );
  const requests = more.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  return { documentsPerSecond, shares, requests: requests.join(', ') };
}

function printParts(memoryBefore: ReadonlyMap<string, number>, shares: ReadonlyMap<string, number>): void {
  const memory = residentMemory();
  console.log('processor and memory beside the backlog:');
  console.table(
    [...shares].map(([part, share]) => ({
      part,
      '% of a processor': rounded(share),
      'MiB before': Math.round(memoryBefore.get(part) ?? 0),
      MiB: Math.round(memory.get(part) ?? 0),
    })),
  );
}

function median({ latencies }: Sequence): number {
  return percentile(latencies, 0.5);
}
