import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { BenchClient } from './workload/bench-client.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { StandaloneService } from './services/standalone-service.ts';
import { closedLoop, percentile, pooled, type Measurement } from './measurement/statistics.ts';
import { WebhookDestinations, type Arrival, type Manner } from './workload/webhook-destinations.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const WARM_UP_MS = 3000;
const STEADY_RATE = 50;
const ENDPOINTS = 50;
/** Number of documents per second for all endpoints: 200 deliveries per second, below the capacity. */
const PACED_RATE = 4;
/** 10,000 deliveries in ten seconds: above capacity, so that the last ones queue behind many others. */
const BURST = { count: 200, perSecond: 20 };
const CLIENTS = 8;
const TIMEOUT_MS = 120_000;

/** Positions of dead endpoints: spread among the others, so that a delay for later endpoints would show. */
const DEAD = new Map<number, Manner>([5, 15, 25].map((place) => [place, 'hangs']));
DEAD.set(35, 'rejects').set(45, 'fails');
const ALL_LIVE = Array.from({ length: ENDPOINTS }, (): Manner => 'answers');
const FIVE_DEAD = ALL_LIVE.map((manner, place) => DEAD.get(place) ?? manner);

/** `latencies` covers only endpoints that are alive in every round. */
interface Round extends Measurement {
  /** Number of deliveries to all endpoints. */
  readonly delivered: number;
}

interface Bench {
  readonly client: BenchClient;
  readonly destinations: WebhookDestinations;
  readonly generate: () => Promise<void>;
}

/**
 * Measures event delivery from the standalone service to local HTTPS endpoints: one endpoint at a steady rate of
 * documents, then 50 of them, alternately with and without five dead ones. The latency of an event is measured from the
 * completion of its document (`created_at`, set before the document is written) to the receipt of the whole request.
 */
export async function benchWebhooks(pace: Pace): Promise<void> {
  const destinations = await WebhookDestinations.start();
  const directory = await temporaryDirectory();
  const authority = path.join(directory, 'authority.pem');
  await writeFile(authority, destinations.authority);
  const service = await StandaloneService.start({
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
    await removeDirectory(directory);
  }
}

async function prepare(client: BenchClient): Promise<() => Promise<void>> {
  const html = '<h1>Receipt {{number}}</h1><p>Thank you, {{name}}.</p>';
  const { id } = await client.call<{ id: string }>('POST', '/v1/templates', { name: 'Receipt', html });
  const body = JSON.stringify({ template_id: id, data: { number: 17, name: 'Ada' } });
  return async () => {
    const response = await client.call<{ status: string }>('POST', '/v1/generate', body);
    if (response.status !== 'completed') throw new Error(`a document was not completed: ${response.status}`);
  };
}

/** Measures one endpoint with documents at a steady rate, independent of earlier ones. */
async function steady(bench: Bench, { milliseconds, rounds }: Pace): Promise<void> {
  const { client, destinations } = bench;
  await destinations.register(client, ['answers']);
  const measured: Round[] = [];
  const count = Math.round((milliseconds * STEADY_RATE) / 1000);
  await openLoop(bench, { count: STEADY_RATE, perSecond: STEADY_RATE, expected: STEADY_RATE });
  for (let round = 0; round < rounds; round += 1)
    measured.push(await openLoop(bench, { count, perSecond: STEADY_RATE, expected: count }));
  await destinations.remove(client);
  const all = pooled(measured);
  const name = `1 endpoint, ${STEADY_RATE} documents a second`;
  console.table([rowOf(name, { ...all, delivered: all.latencies.length })]);
  console.log(`p95 ${p95(all)} ms (target < 100 ms)`);
}

/** Measurements by round. */
interface Crowd {
  readonly live: Round[];
  readonly beside: Round[];
}

/**
 * Alternates between all endpoints alive and five of them dead, with documents at the same moments. Compares the events
 * sent to the 45 endpoints that are alive in both cases: first at a rate within the machine's capacity, then with
 * 10,000 deliveries above it.
 */
async function crowd(bench: Bench, { milliseconds, rounds }: Pace): Promise<void> {
  const paced = { count: Math.round((milliseconds * PACED_RATE) / 1000), perSecond: PACED_RATE };
  for (const [name, load] of [
    [`${PACED_RATE} documents a second`, paced],
    [`${BURST.count} documents, ${BURST.perSecond} a second`, BURST],
  ] as const) {
    const measured: Crowd = { live: [], beside: [] };
    for (let round = 0; round < rounds; round += 1) {
      measured.live.push(await among(bench, ALL_LIVE, load));
      measured.beside.push(await among(bench, FIVE_DEAD, load));
    }
    printCrowd(name, measured);
  }
}

function printCrowd(name: string, { live, beside }: Crowd): void {
  console.log(`50 endpoints, ${name}; times of the 45 that are alive in every round`);
  console.table([
    ...live.map((measured, round) => rowOf(`round ${round + 1}, all live`, measured)),
    ...beside.map((measured, round) => rowOf(`round ${round + 1}, beside 5 dead ones`, measured)),
  ]);
  const [before, after] = [live, beside].map((rounds) => percentile(rounds.map(p95), 0.5));
  const change = Math.round(100 * ((after ?? NaN) / (before ?? NaN) - 1));
  console.log(`p95 of the others, median of the rounds: ${before} ms, beside dead ones ${after} ms`);
  console.log(`the dead ones change it by ${change} % (target < 20 %)`);
}

async function among(bench: Bench, manners: readonly Manner[], load: Omit<Load, 'expected'>): Promise<Round> {
  const { client, destinations } = bench;
  await destinations.register(client, manners);
  const live = manners.filter((manner) => manner === 'answers').length;
  const measured = await openLoop(bench, { ...load, expected: load.count * live });
  await destinations.remove(client);
  return measured;
}

interface Load {
  readonly count: number;
  readonly perSecond: number;
  /** Number of arrivals to await. */
  readonly expected: number;
}

async function openLoop({ generate, destinations }: Bench, load: Load): Promise<Round> {
  const { count, perSecond, expected } = load;
  const from = destinations.arrivals.length;
  const begun = Date.now();
  await paced(count, 1000 / perSecond, generate);
  await eventually(() => destinations.arrivals.length >= from + expected, { timeoutMs: TIMEOUT_MS });
  const arrivals = destinations.arrivals.slice(from);
  const compared = arrivals.filter(({ path: place }) => !DEAD.has(Number(place.slice(1))));
  const latencies = compared.map(({ latency }) => latency);
  return { latencies, elapsed: lastOf(arrivals) - begun, delivered: arrivals.length };
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

function rowOf(name: string, round: Round) {
  const { latencies, elapsed, delivered } = round;
  return {
    '': name,
    ...latencyRow({ latencies }),
    'events/s': rounded((delivered * 1000) / elapsed),
  };
}
