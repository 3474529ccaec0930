/** What one measured run says: latencies in milliseconds and how much was done in how long. */
export interface Measurement {
  readonly latencies: readonly number[];
  /** Wall-clock milliseconds. */
  readonly elapsed: number;
}

/** The value below which `share` (0–1) of the latencies lie. NaN when there are none. */
export function percentile(latencies: readonly number[], share: number): number {
  const sorted = latencies.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Documents a second. */
export function rate({ latencies, elapsed }: Measurement): number {
  return (latencies.length * 1000) / elapsed;
}

/** Several rounds of the same thing as one measurement. */
export function pooled(rounds: readonly Measurement[]): Measurement {
  return {
    latencies: rounds.flatMap(({ latencies }) => latencies),
    elapsed: rounds.reduce((sum, { elapsed }) => sum + elapsed, 0),
  };
}

/** Runs `work` again and again in `clients` loops side by side until the time is over. */
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
