import { compare, type Comparison, type Pace } from './measurement/comparison.ts';
import type { Invoice } from './workload/invoice.ts';
import { printTable, throughput, waitBeyondPrint } from './measurement/report.ts';
import { StandaloneService } from './services/standalone-service.ts';
import { rate } from './measurement/statistics.ts';

/**
 * Measures the service in one process, as `npm start` runs it. `documents` is the number of documents for the memory
 * check; 0 for none.
 */
export async function benchStandalone(invoice: Invoice, pace: Pace, documents: number): Promise<void> {
  const begun = performance.now();
  const npmStart = await StandaloneService.start({}, ['npm', 'start', '--silent']);
  const readySeconds = ((performance.now() - begun) / 1000).toFixed(2);
  await npmStart.stop();
  const service = await StandaloneService.start();
  try {
    const generate = await service.client.prepare(invoice);
    const contender = { generate, leadInMs: 0, settled: async () => undefined };
    printComparison(await compare(contender, invoice, pace));
    console.log(`\nready ${readySeconds} s after \`npm start\` (target ≤ 3 s)`);
    if (documents > 0) await measureMemory(service, generate, documents);
  } finally {
    await service.stop();
  }
}

function printComparison(comparison: Comparison): void {
  printTable(comparison);
  const more = waitBeyondPrint(comparison).toFixed(1);
  console.log(`synchronous p50 at one client: bare render + ${more} ms (target ≤ 12 ms)`);
  const percentOf = (limit: number) => Math.round((100 * throughput(comparison, 8)) / limit);
  const share = percentOf(rate(comparison.full));
  console.log(`throughput at 8 clients: ${share} % of the baseline (target ≥ 75 %)`);
  const harder = percentOf(rate(comparison.fullUnseen));
  console.log(`  and ${harder} % of that of browsers which draw no frames, as the service's do not`);
}

/** Reports resident memory after a tenth of the documents and after all of them. */
async function measureMemory(
  service: StandaloneService,
  generate: () => Promise<void>,
  documents: number,
): Promise<void> {
  const make = async (count: number) => {
    let left = count;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left-- > 0) await generate();
      }),
    );
    return service.process.memory();
  };
  const early = await make(documents / 10);
  const late = await make(documents - documents / 10);
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  console.log(
    `resident memory: ${mebibytes(early)} after ${documents / 10} documents, ${mebibytes(late)} after ${documents}: ` +
      `× ${(late / early).toFixed(2)} (target ≤ 1.3)`,
  );
}
