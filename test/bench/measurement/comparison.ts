import { availableParallelism } from 'node:os';
import { findBrowser } from '@trifold/renderer/browser/process/find-browser.ts';
import { BareLoop } from './bare-loop.ts';
import type { Invoice } from '../workload/invoice.ts';
import { closedLoop, pooled, type Measurement } from './statistics.ts';

/** Numbers of concurrent clients; each requests one document after the other. */
export const CLIENTS = [1, 8, 32] as const;

/** Number of browsers in the bare loops and in the service: the default of a renderer. */
export const BROWSERS = Math.min(2, availableParallelism());

const WARM_UP_MS = 2000;

/** The service that is compared with the bare limit. */
export interface Contender {
  /** Requests one document and waits for it. */
  readonly generate: () => Promise<void>;
  /** Unmeasured work before each measurement, in milliseconds, until deferred work reaches its steady rate. */
  readonly leadInMs: number;
  /** Resolves when no work for created documents is left, so that the bare loops have the machine to themselves. */
  readonly settled: () => Promise<void>;
}

export interface Pace {
  /** Length of one measurement. */
  readonly milliseconds: number;
  readonly rounds: number;
}

export interface Comparison {
  /** The bare loops: one browser; all browsers; all browsers without drawing frames. */
  readonly alone: Measurement;
  readonly full: Measurement;
  readonly fullUnseen: Measurement;
  /** The service by the number of clients. */
  readonly service: ReadonlyMap<number, Measurement>;
}

/**
 * Measures a service and the bare limit in alternation: on a shared machine, only measurements taken together are
 * comparable.
 */
export async function compare(contender: Contender, invoice: Invoice, pace: Pace): Promise<Comparison> {
  const configured = process.env['TRIFOLD_BROWSER'];
  const binary = await findBrowser({ ...(configured && { configured }) });
  const bare = await BareLoop.open(binary, BROWSERS, 'drawn');
  const unseen = await BareLoop.open(binary, BROWSERS, 'unseen');
  try {
    return await takeTurns(contender, { bare, unseen }, invoice, pace);
  } finally {
    await Promise.all([bare.close(), unseen.close()]);
  }
}

async function takeTurns(
  contender: Contender,
  { bare, unseen }: { readonly bare: BareLoop; readonly unseen: BareLoop },
  invoice: Invoice,
  { milliseconds, rounds }: Pace,
): Promise<Comparison> {
  const print = async (client: number) => void (await bare.print(client, invoice));
  const printUnseen = async (client: number) => void (await unseen.print(client, invoice));
  const serve = async (clients: number) => {
    if (contender.leadInMs > 0) await closedLoop(clients, contender.leadInMs, contender.generate);
    const measured = await closedLoop(clients, milliseconds, contender.generate);
    await contender.settled();
    return measured;
  };
  await closedLoop(8, WARM_UP_MS, contender.generate);
  await contender.settled();
  await closedLoop(BROWSERS, WARM_UP_MS, print);
  await closedLoop(BROWSERS, WARM_UP_MS, printUnseen);

  const services = new Map(CLIENTS.map((clients) => [clients, [] as Measurement[]]));
  const alone: Measurement[] = [];
  const full: Measurement[] = [];
  const fullUnseen: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await closedLoop(1, milliseconds, print));
    services.get(1)?.push(await serve(1));
    full.push(await closedLoop(BROWSERS, milliseconds, print));
    services.get(8)?.push(await serve(8));
    services.get(32)?.push(await serve(32));
    fullUnseen.push(await closedLoop(BROWSERS, milliseconds, printUnseen));
  }
  const service = new Map([...services].map(([clients, measured]) => [clients, pooled(measured)]));
  return { alone: pooled(alone), full: pooled(full), fullUnseen: pooled(fullUnseen), service };
}
