import type { Pace } from './measurement/comparison.ts';
import { latencyRow } from './measurement/report.ts';
import { closedLoop, percentile } from './measurement/statistics.ts';
import { SEARCHED, UNSEARCHED } from './services/search-marks.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP_MS = 3000;
/** Blocks of documents whose differences show the noise. */
const BLOCKS = 12;
const WITHOUT = new URL('./services/without-warnings.ts', import.meta.url);

/**
 * Measures what the search for warnings adds to a live document: one service generates the same document with and
 * without it in turn, for one client. Two services differ by more than the target even if they run the same code.
 */
export async function benchWarnings(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const service = await StandaloneService.start({ NODE_OPTIONS: `--import=${WITHOUT.href}` });
  try {
    const search = await service.client.prepare(endingWith(invoice, SEARCHED));
    const plain = await service.client.prepare(endingWith(invoice, UNSEARCHED));
    await inTurn([search, plain], WARM_UP_MS);
    const blocks = [];
    for (let block = 0; block < BLOCKS; block += 1) {
      blocks.push(await inTurn([search, plain], (milliseconds * rounds * 4) / BLOCKS));
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

interface Latencies {
  readonly searching: number[];
  readonly plain: number[];
}

async function inTurn(
  [search, plain]: readonly [() => Promise<void>, () => Promise<void>],
  milliseconds: number,
): Promise<Latencies> {
  const latencies: Latencies = { searching: [], plain: [] };
  const timed = async (generate: () => Promise<void>, into: number[]) => {
    const begun = performance.now();
    await generate();
    into.push(performance.now() - begun);
  };
  const searching = () => timed(search, latencies.searching);
  const unsearched = () => timed(plain, latencies.plain);
  await closedLoop(1, milliseconds, async () => {
    // Work that follows a document delays the next one.
    for (const generate of [searching, unsearched, unsearched, searching]) await generate();
  });
  return latencies;
}

function print(blocks: readonly Latencies[]): void {
  const searching = blocks.flatMap((block) => block.searching);
  const plain = blocks.flatMap((block) => block.plain);
  const difference = (one: readonly number[], other: readonly number[]) =>
    percentile(one, 0.5) - percentile(other, 0.5);
  const differences = blocks.map((block) => difference(block.searching, block.plain));
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (differences.length - 1);
  const noise = 2 * Math.sqrt(variance / differences.length);
  console.table([
    { '': 'with the search for warnings', ...latencyRow({ latencies: searching }) },
    { '': 'without it', ...latencyRow({ latencies: plain }) },
  ]);
  console.log(
    `search for warnings in a live document: p50 + ${difference(searching, plain).toFixed(2)} ms ` +
      `± ${noise.toFixed(2)} (two standard errors; target ≤ 0.5 ms)`,
  );
}
