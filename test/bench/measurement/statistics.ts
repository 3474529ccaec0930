/** Result of one run: latencies in milliseconds, and the work done in that time. */
export interface Measurement {
  readonly latencies: readonly number[];
  /** Elapsed wall-clock time, in milliseconds. */
  readonly elapsed: number;
}

/** Returns the value below which `share` (0–1) of the latencies lie; NaN without latencies. */
export function percentile(latencies: readonly number[], share: number): number {
  const sorted = latencies.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Returns documents per second. */
export function rate({ latencies, elapsed }: Measurement): number {
  return (latencies.length * 1000) / elapsed;
}

/** Merges several rounds of the same measurement into one. */
export function pooled(rounds: readonly Measurement[]): Measurement {
  return {
    latencies: rounds.flatMap(({ latencies }) => latencies),
    elapsed: rounds.reduce((sum, { elapsed }) => sum + elapsed, 0),
  };
}

/** Takes each measurement once per round, in turn; returns the merged rounds of each. */
export async function alternate<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<Measurement>>>,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(measurements) as Name[];
  const taken = new Map(names.map((name) => [name, [] as Measurement[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) taken.get(name)?.push(await measurements[name]());
  }
  return Object.fromEntries([...taken].map(([name, all]) => [name, pooled(all)])) as Record<
    Name,
    Measurement
  >;
}

/** Runs `work` repeatedly in `clients` concurrent loops until the time is up. */
export async function closedLoop(
  clients: number,
  milliseconds: number,
  work: (client: number) => Promise<void>,
): Promise<Measurement> {
  const latencies: number[] = [];
  const start = performance.now();
  const loops = Array.from({ length: clients }, async (_, client) => {
    while (performance.now() - start < milliseconds) {
      const begun = performance.now();
      await work(client);
      latencies.push(performance.now() - begun);
    }
  });
  await Promise.all(loops);
  return { latencies, elapsed: performance.now() - start };
}
