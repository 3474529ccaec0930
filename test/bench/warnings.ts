import type { Pace } from './measurement/comparison.ts';
import { latencyRow } from './measurement/report.ts';
import { closedLoop, percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP_MS = 3000;
/** Blocks of documents whose differences show the noise. */
const BLOCKS = 12;
const WITHOUT = new URL('./services/without-warnings.ts', import.meta.url);

/**
 * Measures what the search for warnings adds to a live document: two services, with and without it, generate the same
 * document in turn, for one client.
 */
export async function benchWarnings(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const searching = await StandaloneService.start();
  const plain = await StandaloneService.start({ NODE_OPTIONS: `--import=${WITHOUT.href}` });
  try {
    const services = [await searching.client.prepare(invoice), await plain.client.prepare(invoice)] as const;
    for (const generate of services) await closedLoop(1, WARM_UP_MS, generate);
    const blocks = [];
    for (let block = 0; block < BLOCKS; block += 1) {
      blocks.push(await inTurn(services, (milliseconds * rounds * 4) / BLOCKS));
    }
    print(blocks);
  } finally {
    await Promise.all([searching.stop(), plain.stop()]);
  }
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
  await closedLoop(1, milliseconds, async () => {
    await timed(search, latencies.searching);
    await timed(plain, latencies.plain);
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
