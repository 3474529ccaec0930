import type { Load } from './load.ts';

interface Injected {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
}

/** What a run did and how long each kind of fault delayed synchronous requests. */
export class Report {
  readonly #injected: Injected[] = [];

  /** Times as `performance.now()`. */
  add(name: string, began: number, ended: number): void {
    this.#injected.push({ name, began, ended });
  }

  text(load: Load, events: number): string {
    const stalls = new Map<string, number[]>();
    for (const injected of this.#injected) {
      const stall = longestGap(load.moments, injected);
      stalls.set(injected.name, [...(stalls.get(injected.name) ?? []), stall]);
    }
    const rows = [...stalls].map(
      ([name, all]) =>
        `${String(all.length).padStart(4)} × ${name}: ${(Math.max(...all) / 1000).toFixed(1)} s`,
    );
    return [
      `${this.#injected.length} faults, ${load.documents.length} documents, ${load.batches.length} batches, ${events} events`,
      'longest time without the answer to a synchronous request:',
      ...rows,
    ].join('\n');
  }
}

/** Longest time between two moments that begins during the fault, in milliseconds. */
function longestGap(moments: readonly number[], { began, ended }: Injected): number {
  const inside = moments.filter((moment) => moment > began && moment < ended);
  const next = moments.find((moment) => moment >= ended) ?? ended;
  const times = [began, ...inside, next];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
