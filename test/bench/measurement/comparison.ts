import { availableParallelism } from 'node:os';
import { BareLoop } from './bare-loop.ts';
import type { Invoice } from '../workload/invoice.ts';
import { alternate, closedLoop, type Measurement } from './statistics.ts';

/** Number of browsers in the bare loops and in the service: the default of a renderer. */
export const BROWSERS = Math.min(2, availableParallelism());

const WARM_UP_MS = 2000;

/** The service that is compared with the Chromium baseline. */
export interface Contender {
  /** Requests one document and waits for it. */
  readonly generate: () => Promise<void>;
  /** Warm-up before each measurement, in milliseconds, until deferred work reaches a steady rate. */
  readonly leadInMs: number;
  /** Resolves when no work remains for created documents, so that the bare loops have the machine to themselves. */
  readonly settled: () => Promise<void>;
}

export interface Pace {
  /** Duration of one measurement. */
  readonly milliseconds: number;
  readonly rounds: number;
}

export interface Comparison {
  /** The bare loops: one browser; all browsers; all browsers without drawing frames. */
  readonly alone: Measurement;
  readonly full: Measurement;
  readonly fullUnseen: Measurement;
  /** The service by number of concurrent clients; each requests one document after another. */
  readonly service: ReadonlyMap<number, Measurement>;
}

/**
 * Measures a service and the Chromium baseline alternately: on a shared machine, only measurements taken together are
 * comparable.
 */
export async function compare(contender: Contender, invoice: Invoice, pace: Pace): Promise<Comparison> {
  const bare = await BareLoop.open(BROWSERS, 'drawn');
  const unseen = await BareLoop.open(BROWSERS, 'unseen');
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
  for (const work of [print, printUnseen]) await closedLoop(BROWSERS, WARM_UP_MS, work);

  const { alone, full, fullUnseen, one, eight, many } = await alternate(rounds, {
    alone: () => closedLoop(1, milliseconds, print),
    one: () => serve(1),
    full: () => closedLoop(BROWSERS, milliseconds, print),
    eight: () => serve(8),
    many: () => serve(32),
    fullUnseen: () => closedLoop(BROWSERS, milliseconds, printUnseen),
  });
  const service = new Map([
    [1, one],
    [8, eight],
    [32, many],
  ]);
  return { alone, full, fullUnseen, service };
}
