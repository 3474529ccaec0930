import { setTimeout } from 'node:timers/promises';
import type { Pace } from './measurement/comparison.ts';
import { mainThreadTime } from './measurement/processes.ts';
import { latencyRow } from './measurement/report.ts';
import { closedLoop, percentile } from './measurement/statistics.ts';
import { SEARCHED, UNSEARCHED } from './services/search-marks.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP_MS = 3000;
/** Time for the work that follows a document, which would delay the next one. */
const SETTLE_MS = 5;
/** Blocks of documents whose differences show the noise. */
const BLOCKS = 12;
const WITHOUT = new URL('./services/without-warnings.ts', import.meta.url);

/**
 * Measures what the search for warnings adds to a live document: one service generates the same document with and
 * without it in turn, for one client. Between two services, the difference of the processes would count, too. On a busy
 * machine, only the processor time is exact enough.
 */
export async function benchWarnings(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const service = await StandaloneService.start({ NODE_OPTIONS: `--import=${WITHOUT.href}` });
  try {
    const search = await service.client.prepare(endingWith(invoice, SEARCHED));
    const plain = await service.client.prepare(endingWith(invoice, UNSEARCHED));
    await inTurn([search, plain], service, WARM_UP_MS);
    const blocks = [];
    for (let block = 0; block < BLOCKS; block += 1) {
      blocks.push(await inTurn([search, plain], service, (milliseconds * rounds * 4) / BLOCKS));
    }
    print(blocks);
  } finally {
    await service.stop();
  }
}

function endingWith({ template, ...invoice }: Invoice, comment: string): Invoice {
  const { spec } = template;
  return { ...invoice, template: { ...template, spec: { ...spec, html: `${spec.html ?? ''}${comment}` } } };
}

/** In milliseconds, by document. */
interface Times {
  readonly latencies: number[];
  readonly processor: number[];
}

interface Block {
  readonly searching: Times;
  readonly plain: Times;
}

async function inTurn(
  [search, plain]: readonly [() => Promise<void>, () => Promise<void>],
  service: StandaloneService,
  milliseconds: number,
): Promise<Block> {
  const block: Block = {
    searching: { latencies: [], processor: [] },
    plain: { latencies: [], processor: [] },
  };
  const pids = service.nodePids;
  const timed = async (generate: () => Promise<void>, { latencies, processor }: Times) => {
    const used = mainThreadTime(pids);
    const begun = performance.now();
    await generate();
    latencies.push(performance.now() - begun);
    await setTimeout(SETTLE_MS);
    processor.push(mainThreadTime(pids) - used);
  };
  await closedLoop(1, milliseconds, async () => {
    await timed(search, block.searching);
    await timed(plain, block.plain);
  });
  return block;
}

function print(blocks: readonly Block[]): void {
  const latencies = (kind: keyof Block) => blocks.flatMap((block) => block[kind].latencies);
  console.table([
    { '': 'with the search for warnings', ...latencyRow({ latencies: latencies('searching') }) },
    { '': 'without it', ...latencyRow({ latencies: latencies('plain') }) },
  ]);
  console.log(
    `search for warnings in a live document: p50 ${difference(blocks, 'latencies')}; ` +
      `processor time p50 ${difference(blocks, 'processor')} (two standard errors; target ≤ 0.5 ms)`,
  );
}

/** Returns the mean difference of the blocks' medians with two standard errors. */
function difference(blocks: readonly Block[], kind: keyof Times): string {
  const differences = blocks.map(
    ({ searching, plain }) => percentile(searching[kind], 0.5) - percentile(plain[kind], 0.5),
  );
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (differences.length - 1);
  const noise = 2 * Math.sqrt(variance / differences.length);
  return `+ ${mean.toFixed(2)} ms ± ${noise.toFixed(2)}`;
}
