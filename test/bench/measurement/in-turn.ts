import { setTimeout } from 'node:timers/promises';
import type { StandaloneService } from '../services/standalone-service.ts';
import type { Pace } from './comparison.ts';
import { mainThreadTime } from './processes.ts';
import { latencyRow } from './report.ts';
import { closedLoop, percentile } from './statistics.ts';

const WARM_UP_MS = 3000;
/** Time for the work that follows a document, which would delay the next one. */
const SETTLE_MS = 5;
/** Number of blocks of documents; the differences between blocks show the noise. */
const BLOCKS = 12;

/** Generates one document. */
type Generate = () => Promise<void>;

/** Two kinds of document, by name. */
interface Kinds {
  /** With the measured feature. */
  readonly costly: readonly [name: string, generate: Generate];
  readonly plain: readonly [name: string, generate: Generate];
}

/** Times in milliseconds, by document. */
interface Times {
  readonly latencies: number[];
  readonly processor: number[];
}

type Block = Readonly<Record<keyof Kinds, Times>>;

/**
 * Generates two kinds of document in turn, for one client, and prints the differences. Both come from one service,
 * because with two, differences between the processes would count, too. On a busy machine, only the processor time is
 * exact enough. `subject`: the cause of the difference.
 */
export async function compareInTurn(
  subject: string,
  service: StandaloneService,
  kinds: Kinds,
  { milliseconds, rounds }: Pace,
): Promise<void> {
  await measured(service, kinds, WARM_UP_MS);
  const blocks: Block[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    blocks.push(await measured(service, kinds, (milliseconds * rounds * 4) / BLOCKS));
  }
  const row = (kind: keyof Kinds) => ({
    '': kinds[kind][0],
    ...latencyRow({ latencies: blocks.flatMap((block) => block[kind].latencies) }),
  });
  console.table([row('costly'), row('plain')]);
  console.log(
    `${subject}: p50 ${difference(blocks, 'latencies')}; ` +
      `processor time p50 ${difference(blocks, 'processor')} (two standard errors)`,
  );
}

async function measured(service: StandaloneService, kinds: Kinds, milliseconds: number): Promise<Block> {
  const block: Block = {
    costly: { latencies: [], processor: [] },
    plain: { latencies: [], processor: [] },
  };
  const pids = service.nodePids;
  const timed = async (kind: keyof Kinds) => {
    const used = mainThreadTime(pids);
    const begun = performance.now();
    await kinds[kind][1]();
    block[kind].latencies.push(performance.now() - begun);
    await setTimeout(SETTLE_MS);
    block[kind].processor.push(mainThreadTime(pids) - used);
  };
  await closedLoop(1, milliseconds, async () => {
    await timed('costly');
    await timed('plain');
  });
  return block;
}

/** Returns the mean difference of the blocks' medians with two standard errors. */
function difference(blocks: readonly Block[], time: keyof Times): string {
  const differences = blocks.map(
    ({ costly, plain }) => percentile(costly[time], 0.5) - percentile(plain[time], 0.5),
  );
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (differences.length - 1);
  const noise = 2 * Math.sqrt(variance / differences.length);
  return `+ ${mean.toFixed(2)} ms ± ${noise.toFixed(2)}`;
}
