import { rounded } from '../measurement/report.ts';
import { sequenceRow, type Sequence } from '../measurement/sequence.ts';

interface Row {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  readonly target?: number;
}

/** Figures of a run, in the order in which they were measured. */
export class Results {
  readonly #rows: Row[] = [];

  /** Adds a figure and prints it; with a target, it should be at most this. */
  add(what: string, measured: number, unit: string, target?: number): void {
    this.#rows.push({ what, measured: rounded(measured), unit, ...(target !== undefined && { target }) });
    const aim = target === undefined ? '' : ` (target ≤ ${target} ${unit})`;
    console.log(`${new Date().toISOString().slice(11, 19)} ${what}: ${rounded(measured)} ${unit}${aim}`);
  }

  /** Adds median and 95th percentile, and the number of requests that were not completed, if any. */
  addSequence(what: string, sequence: Sequence, targets: { readonly p50?: number } = {}): void {
    const row = sequenceRow(sequence);
    this.add(`${what}, p50`, row['p50 ms'], 'ms', targets.p50);
    this.add(`${what}, p95`, row['p95 ms'], 'ms');
    const left = sequence.statuses.length - row.completed;
    if (left > 0) this.add(`${what}, without a document`, left, 'requests', 0);
  }

  print(): void {
    console.table(
      this.#rows.map(({ what, measured, unit, target }) => ({
        '': what,
        measured: `${measured} ${unit}`,
        target: target === undefined ? '' : `≤ ${target} ${unit}`,
        met: target === undefined ? '' : measured <= target ? 'yes' : 'NO',
      })),
    );
  }
}
