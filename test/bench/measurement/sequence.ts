import { latencyRow, rounded } from './report.ts';

/** Requests that were sent one after another. */
export interface Sequence {
  /** In milliseconds. */
  readonly latencies: readonly number[];
  readonly statuses: readonly string[];
}

/** Sends requests one after another. `generate` requests one document and resolves with its status. */
export async function inSequence(count: number, generate: () => Promise<string>): Promise<Sequence> {
  const latencies: number[] = [];
  const statuses: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    statuses.push(await generate());
    latencies.push(performance.now() - begun);
  }
  return { latencies, statuses };
}

/** Returns the sequence as a row of a table. */
export function sequenceRow({ latencies, statuses }: Sequence) {
  return {
    ...latencyRow({ latencies }),
    'at most ms': rounded(Math.max(...latencies)),
    completed: statuses.filter((status) => status === 'completed').length,
  };
}
