/**
 * `npm run bench`: the service over HTTP beside the bare limit, in one run, rounds interleaved.
 * `-- --seconds 5 --rounds 3` sets how long; `-- --memory 5000` how many documents the memory check makes (0: none).
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { findBrowser } from '@trifold/renderer/browser/find-browser.ts';
import { BareLoop } from './bare-loop.ts';
import { loadInvoice, type Invoice } from './invoice.ts';
import { ServiceUnderTest } from './service.ts';
import { closedLoop, percentile, pooled, rate, type Measurement } from './statistics.ts';

const CLIENTS = [1, 8, 32] as const;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    memory: { type: 'string', default: '5000' },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const rounds = Number(values.rounds);
const documents = Number(values.memory);

const invoice = await loadInvoice();
const npmStart = await ServiceUnderTest.start(['npm', 'start', '--silent']);
const readyAfter = npmStart.readyAfter;
await npmStart.stop();

const service = await ServiceUnderTest.start([process.execPath, 'standalone/main.ts']);
try {
  const binary = await findBrowser({
    ...(process.env['TRIFOLD_BROWSER'] && { configured: process.env['TRIFOLD_BROWSER'] }),
  });
  const browsers = Math.min(2, availableParallelism());
  const bare = await BareLoop.open(binary, browsers, 'drawn');
  const unseen = await BareLoop.open(binary, browsers, 'unseen');
  try {
    await compare(service, { bare, unseen }, invoice);
  } finally {
    await Promise.all([bare.close(), unseen.close()]);
  }
  console.log(`\nready ${(readyAfter / 1000).toFixed(2)} s after \`npm start\` (target ≤ 3 s)`);
  if (documents > 0) await measureMemory(service);
} finally {
  await service.stop();
}

async function compare(
  service: ServiceUnderTest,
  { bare, unseen }: { bare: BareLoop; unseen: BareLoop },
  invoice: Invoice,
): Promise<void> {
  const generate = await prepare(service, invoice);
  const print = async (client: number) => void (await bare.print(client, invoice));
  const printUnseen = async (client: number) => void (await unseen.print(client, invoice));
  await closedLoop(8, 2000, generate);
  await closedLoop(bare.browsers, 2000, print);
  await closedLoop(unseen.browsers, 2000, printUnseen);

  const services = new Map(CLIENTS.map((clients) => [clients, [] as Measurement[]]));
  const alone: Measurement[] = [];
  const full: Measurement[] = [];
  const fullUnseen: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await closedLoop(1, milliseconds, print));
    services.get(1)?.push(await closedLoop(1, milliseconds, generate));
    full.push(await closedLoop(bare.browsers, milliseconds, print));
    services.get(8)?.push(await closedLoop(8, milliseconds, generate));
    services.get(32)?.push(await closedLoop(32, milliseconds, generate));
    fullUnseen.push(await closedLoop(unseen.browsers, milliseconds, printUnseen));
  }
  report({ alone: pooled(alone), full: pooled(full), fullUnseen: pooled(fullUnseen) }, services);
}

interface Bare {
  readonly alone: Measurement;
  readonly full: Measurement;
  readonly fullUnseen: Measurement;
}

function report({ alone, full, fullUnseen }: Bare, services: Map<number, Measurement[]>): void {
  const row = (name: string, measurement: Measurement) => ({
    '': name,
    'p50 ms': Number(percentile(measurement.latencies, 0.5).toFixed(1)),
    'p95 ms': Number(percentile(measurement.latencies, 0.95).toFixed(1)),
    'documents/s': Number(rate(measurement).toFixed(1)),
    'of the bare limit': `${Math.round((100 * rate(measurement)) / rate(full))} %`,
  });
  const rows = [
    row('bare, one browser', alone),
    row('bare, all browsers', full),
    row('bare, all browsers, no frames', fullUnseen),
  ];
  for (const [clients, measured] of services) rows.push(row(`service, ${clients} clients`, pooled(measured)));
  console.table(rows);
  const one = pooled(services.get(1) ?? []);
  const more = percentile(one.latencies, 0.5) - percentile(alone.latencies, 0.5);
  console.log(`synchronous p50 at one client: bare render + ${more.toFixed(1)} ms (target ≤ 12 ms)`);
  const share = rate(pooled(services.get(8) ?? [])) / rate(full);
  console.log(`throughput at 8 clients: ${Math.round(100 * share)} % of the bare limit (target ≥ 75 %)`);
  const harder = rate(pooled(services.get(8) ?? [])) / rate(fullUnseen);
  console.log(
    `  and ${Math.round(100 * harder)} % of that of browsers which draw no frames, as the service's do not`,
  );
}

/** Makes the template; answers with what asks for one document. */
async function prepare(
  service: ServiceUnderTest,
  invoice: Invoice,
): Promise<(client: number) => Promise<void>> {
  const { spec } = invoice.template;
  const template = await service.call<{ id: string }>('POST', '/v1/templates', {
    name: spec.displayName,
    html: spec.html,
    css: spec.css,
    schema: spec.schema,
    default_options: { page_size: 'a4', margins: spec.defaultOptions?.margins },
  });
  const body = JSON.stringify({ template_id: template.id, data: invoice.data });
  return async () => {
    const answer = await service.call<{ status: string }>('POST', '/v1/generate', body);
    if (answer.status !== 'completed')
      throw new Error(`a document was not completed: ${JSON.stringify(answer)}`);
  };
}

/** Resident memory after a tenth of the documents and after all of them. */
async function measureMemory(service: ServiceUnderTest): Promise<void> {
  const generate = await prepare(service, invoice);
  const make = async (count: number) => {
    let left = count;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left-- > 0) await generate(0);
      }),
    );
    return service.residentBytes();
  };
  const early = await make(documents / 10);
  const late = await make(documents - documents / 10);
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  console.log(
    `resident memory: ${mebibytes(early)} after ${documents / 10} documents, ${mebibytes(late)} after ${documents}: ` +
      `× ${(late / early).toFixed(2)} (target ≤ 1.3)`,
  );
}
