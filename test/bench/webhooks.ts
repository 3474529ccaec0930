import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchClient } from './bench-client.ts';
import type { Pace } from './comparison.ts';
import { rounded } from './report.ts';
import { StandaloneService } from './standalone-service.ts';
import { closedLoop, percentile, pooled, rate, type Measurement } from './statistics.ts';
import { WebhookDestinations, type Arrival, type Manner } from './webhook-destinations.ts';

const WARM_UP_MS = 3000;
const STEADY_RATE = 50;
/** Of a round in which everything comes at once: 10,000 deliveries. */
const DOCUMENTS = 200;
const ENDPOINTS = 50;
/** Documents a second for all of them: 200 deliveries a second, less than can be made. */
const PACED_RATE = 4;
const CLIENTS = 8;
const DEADLINE_MS = 120_000;

/** Among the others, so that those whose turn is after theirs would feel it. */
const DEAD = new Map<number, Manner>([
  [5, 'hangs'],
  [15, 'hangs'],
  [25, 'hangs'],
  [35, 'refuses'],
  [45, 'fails'],
]);
const ALL_LIVE = Array.from({ length: ENDPOINTS }, (): Manner => 'answers');
const FIVE_DEAD = ALL_LIVE.map((manner, place) => DEAD.get(place) ?? manner);

interface Bench {
  readonly client: BenchClient;
  readonly destinations: WebhookDestinations;
  readonly generate: () => Promise<void>;
}

/**
 * Events of the standalone service to HTTPS endpoints of this machine: one endpoint at a steady rate of documents, then
 * 50 of them, with and without five dead ones, in turns. The time of an event counts from the moment at which its document
 * was complete (`created_at`, set before that is written down) to the moment at which the receiver has all of the request.
 */
export async function benchWebhooks(pace: Pace): Promise<void> {
  const destinations = await WebhookDestinations.start();
  const directory = await mkdtemp(path.join(tmpdir(), 'trifold-bench-'));
  const authority = path.join(directory, 'authority.pem');
  await writeFile(authority, destinations.authority);
  const service = await StandaloneService.start([process.execPath, 'standalone/main.ts'], {
    NODE_EXTRA_CA_CERTS: authority,
    TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
  });
  try {
    const bench = { client: service.client, destinations, generate: await prepare(service.client) };
    await closedLoop(CLIENTS, WARM_UP_MS, bench.generate);
    await steady(bench, pace);
    await crowd(bench, pace);
  } finally {
    await service.stop();
    await destinations.stop();
    await rm(directory, { recursive: true });
  }
}

async function prepare(client: BenchClient): Promise<() => Promise<void>> {
  const html = '<h1>Receipt {{number}}</h1><p>Thank you, {{name}}.</p>';
  const { id } = await client.call<{ id: string }>('POST', '/v1/templates', { name: 'Receipt', html });
  const body = JSON.stringify({ template_id: id, data: { number: 17, name: 'Ada' } });
  return async () => {
    const answer = await client.call<{ status: string }>('POST', '/v1/generate', body);
    if (answer.status !== 'completed') throw new Error(`a document was not completed: ${answer.status}`);
  };
}

/** One endpoint, documents at a steady rate whatever becomes of those before. */
async function steady(bench: Bench, { milliseconds, rounds }: Pace): Promise<void> {
  const { client, destinations } = bench;
  await destinations.register(client, ['answers']);
  const measured: Measurement[] = [];
  const count = Math.round((milliseconds * STEADY_RATE) / 1000);
  await openLoop(bench, { count: STEADY_RATE, perSecond: STEADY_RATE, expected: STEADY_RATE });
  for (let round = 0; round < rounds; round += 1)
    measured.push(await openLoop(bench, { count, perSecond: STEADY_RATE, expected: count }));
  await destinations.remove(client);
  console.table([rowOf(`1 endpoint, ${STEADY_RATE} documents a second`, pooled(measured))]);
  console.log(`p95 ${p95(pooled(measured))} ms (target < 100 ms)`);
}

interface Crowd {
  readonly live: Measurement[];
  readonly beside: Measurement[];
}

/** All endpoints alive and five of them dead, in turns: documents at a steady rate, and once 10,000 deliveries at once. */
async function crowd(bench: Bench, { milliseconds, rounds }: Pace): Promise<void> {
  const paced: Crowd = { live: [], beside: [] };
  const count = Math.round((milliseconds * PACED_RATE) / 1000);
  for (let round = 0; round < rounds; round += 1) {
    paced.live.push(await among(bench, ALL_LIVE, { count, perSecond: PACED_RATE }));
    paced.beside.push(await among(bench, FIVE_DEAD, { count, perSecond: PACED_RATE }));
  }
  const burst = { count: DOCUMENTS, perSecond: Infinity };
  printCrowds({
    [`${PACED_RATE} documents a second`]: paced,
    [`${DOCUMENTS} documents at once`]: {
      live: [await among(bench, ALL_LIVE, burst)],
      beside: [await among(bench, FIVE_DEAD, burst)],
    },
  });
}

function printCrowds(crowds: Readonly<Record<string, Crowd>>): void {
  const rows = Object.entries(crowds).map(([name, { live, beside }]) => [
    rowOf(`50 endpoints, ${name}`, pooled(live)),
    rowOf(`the 45 beside 5 dead ones, ${name}`, pooled(beside)),
  ]);
  console.table(rows.flat());
  for (const [name, { live, beside }] of Object.entries(crowds)) {
    const change = Math.round(100 * (p95(pooled(beside)) / p95(pooled(live)) - 1));
    console.log(`${name}: the dead ones change p95 of the others by ${change} % (target < 20 %)`);
  }
}

async function among(
  bench: Bench,
  manners: readonly Manner[],
  load: Omit<Load, 'expected'>,
): Promise<Measurement> {
  const { client, destinations } = bench;
  await destinations.register(client, manners);
  const live = manners.filter((manner) => manner === 'answers').length;
  const measured = await openLoop(bench, { ...load, expected: load.count * live });
  await destinations.remove(client);
  return measured;
}

interface Load {
  readonly count: number;
  /** Infinity: so many clients, each one document after the other. */
  readonly perSecond: number;
  /** Arrivals that are waited for. */
  readonly expected: number;
}

async function openLoop({ generate, destinations }: Bench, load: Load): Promise<Measurement> {
  const { count, perSecond, expected } = load;
  const from = destinations.arrivals.length;
  const begun = Date.now();
  if (perSecond === Infinity) await together(count, generate);
  else await paced(count, 1000 / perSecond, generate);
  const deadline = Date.now() + DEADLINE_MS;
  while (destinations.arrivals.length < from + expected) {
    if (Date.now() > deadline) throw new Error(`only ${destinations.arrivals.length - from} of ${expected}`);
    await pause(20);
  }
  const arrivals = destinations.arrivals.slice(from);
  return { latencies: arrivals.map(({ latency }) => latency), elapsed: lastOf(arrivals) - begun };
}

async function together(count: number, generate: () => Promise<void>): Promise<void> {
  let left = count;
  const one = async () => {
    while (left-- > 0) await generate();
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
}

async function paced(count: number, everyMs: number, generate: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const all: Promise<void>[] = [];
  for (let number = 0; number < count; number += 1) {
    await pause(Math.max(0, begun + number * everyMs - performance.now()));
    all.push(generate());
  }
  await Promise.all(all);
}

const lastOf = (arrivals: readonly Arrival[]): number => Math.max(0, ...arrivals.map(({ at }) => at));
const p95 = ({ latencies }: Measurement): number => rounded(percentile(latencies, 0.95));

function rowOf(name: string, measured: Measurement) {
  return {
    '': name,
    'p50 ms': rounded(percentile(measured.latencies, 0.5)),
    'p95 ms': p95(measured),
    'events/s': rounded(rate(measured)),
  };
}
