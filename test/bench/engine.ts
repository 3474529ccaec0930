import { setInterval } from 'node:timers';
import { TemplateMerger } from '@trifold/renderer/merge/template-merger.ts';
import { groupMemoryBytes } from '@trifold/renderer/browser/process/group-memory.ts';
import { BareLoop } from './measurement/bare-loop.ts';
import { BROWSERS, type Pace } from './measurement/comparison.ts';
import { engineDocuments, type EngineDocument } from './workload/engine-documents.ts';
import { EngineRenderer } from './services/engine-renderer.ts';
import type { Invoice } from './workload/invoice.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { alternate, closedLoop, percentile, rate, type Measurement } from './measurement/statistics.ts';

const WARM_UP_MS = 2000;
const MEMORY_EVERY_MS = 100;
const ACCOUNTS = ['one', 'two'] as const;
/** Same concurrency as the renderer: one more task per browser than it prints at a time. */
const CLIENTS = BROWSERS * 2;

interface Measured {
  readonly name: string;
  readonly bare: Measurement;
  readonly engine: Measurement;
  readonly mebibytes: number;
}

/** Measures the renderer alone and the bare loop alternately, with documents of several sizes. */
export async function benchEngine(invoice: Invoice, pace: Pace): Promise<void> {
  const bare = await BareLoop.open(BROWSERS, 'drawn');
  const engine = await EngineRenderer.start(BROWSERS);
  try {
    const documents = engineDocuments(invoice);
    const measured: Measured[] = [];
    for (const document of documents) measured.push(await measure(document, bare, engine, pace));
    printMeasured(measured);
    const [first] = documents;
    if (first) await compareAccounts(first, engine, pace);
    if (first) measureMerge(first);
  } finally {
    await Promise.all([bare.close(), engine.stop()]);
  }
}

async function measure(
  document: EngineDocument,
  bare: BareLoop,
  engine: EngineRenderer,
  { milliseconds, rounds }: Pace,
): Promise<Measured> {
  await engine.prepare(document, ACCOUNTS);
  const print = async (browser: number) => void (await bare.print(browser, document));
  const render = () => engine.render(document, ACCOUNTS[0]);
  await closedLoop(BROWSERS, WARM_UP_MS, print);
  await closedLoop(CLIENTS, WARM_UP_MS, render);
  const memory = new PeakMemory(() => engine.pids);
  const measured = await alternate(rounds, {
    bare: () => closedLoop(BROWSERS, milliseconds, print),
    engine: () => closedLoop(CLIENTS, milliseconds, render),
  });
  return { name: document.name, ...measured, mebibytes: await memory.stop() };
}

function printMeasured(measured: readonly Measured[]): void {
  const row = (name: string, measurement: Measurement) => ({
    '': name,
    ...latencyRow(measurement),
    'documents/s': rounded(rate(measurement)),
  });
  const rows = measured.flatMap(({ name, bare, engine, mebibytes }) => [
    row(`${name}: bare, ${BROWSERS} browsers`, bare),
    {
      ...row(`${name}: renderer, ${CLIENTS} at a time`, engine),
      'of the bare loop': `${share(rate(engine), rate(bare))} %`,
      'peak MiB of a browser': Math.round(mebibytes),
    },
  ]);
  console.table(rows);
  const [invoice] = measured;
  if (invoice)
    console.log(
      `invoice: ${share(rate(invoice.engine), rate(invoice.bare))} % of the bare loop (target ≥ 90 %)`,
    );
}

/** Measures the same documents from one account and from two accounts alternately. */
async function compareAccounts(
  document: EngineDocument,
  engine: EngineRenderer,
  { milliseconds, rounds }: Pace,
): Promise<void> {
  let count = 0;
  const one = () => engine.render(document, ACCOUNTS[0]);
  const two = () => engine.render(document, ACCOUNTS[count++ % 2] ?? ACCOUNTS[0]);
  await closedLoop(CLIENTS, WARM_UP_MS, two);
  const { ofOne, ofTwo } = await alternate(rounds, {
    ofOne: () => closedLoop(CLIENTS, milliseconds, one),
    ofTwo: () => closedLoop(CLIENTS, milliseconds, two),
  });
  const less = 100 - share(rate(ofTwo), rate(ofOne));
  console.log(`two accounts in turns: ${less} % fewer documents than of one (target ≤ 15 %)`);
}

/** Merges in this process; the renderer uses a separate one. */
function measureMerge({ source, data }: EngineDocument): void {
  const merger = new TemplateMerger();
  const body = Buffer.from(JSON.stringify(data));
  const request = { revisionKey: 'bench', source, data: body, maxBytes: 2 ** 24 };
  const latencies = Array.from({ length: 2000 }, () => {
    const start = performance.now();
    merger.merge(request);
    return performance.now() - start;
  });
  const p50 = percentile(latencies.slice(1000), 0.5);
  console.log(`merging the invoice: p50 ${p50.toFixed(3)} ms (target < 0.3 ms)`);
}

function share(part: number, whole: number): number {
  return Math.round((100 * part) / whole);
}

/** Peak memory of a single browser, sampled periodically. */
class PeakMemory {
  readonly #pids: () => readonly number[];
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #looking: Promise<void> = Promise.resolve();

  constructor(pids: () => readonly number[]) {
    this.#pids = pids;
    this.#timer = setInterval(() => {
      this.#looking = this.#look();
    }, MEMORY_EVERY_MS);
  }

  /** MiB. */
  async stop(): Promise<number> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#look();
    return this.#bytes / 2 ** 20;
  }

  async #look(): Promise<void> {
    const held = await Promise.all(this.#pids().map((pid) => groupMemoryBytes(pid)));
    this.#bytes = Math.max(this.#bytes, ...held);
  }
}
