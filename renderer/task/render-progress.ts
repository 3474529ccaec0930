import type { DocumentWarning } from '@trifold/crds';
import type { AttemptProgress } from '@trifold/platform/render-queue/port.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { placedWarnings, type Sources } from './placed-warnings.ts';

type Timings = NonNullable<AttemptProgress['timings']>;
type Step = 'mergeMs' | 'printMs' | 'storeMs';

/**
 * Collects the warnings about a document and the durations of its steps, which its author sees even if the document
 * fails.
 */
export class RenderProgress {
  readonly warnings: FoundWarning[] = [];
  /** Strings in which the warnings are located. */
  sources: Sources = {};
  readonly #queued: Pick<AttemptProgress, 'startedAt' | 'timings'>;
  readonly #durations: Partial<Record<Step, number>> = {};
  #current: { readonly step: Step; readonly since: number } | undefined;

  /** `enqueuedAt`: ISO 8601; undefined if the document did not wait in a queue. */
  constructor(startedAt: Date, enqueuedAt?: string) {
    this.#queued =
      enqueuedAt === undefined
        ? {}
        : {
            startedAt: startedAt.toISOString(),
            timings: { queuedMs: rounded(startedAt.getTime() - Date.parse(enqueuedAt)) },
          };
  }

  /** Begins a step and ends the one before it. */
  begin(step: Step): void {
    this.#measure();
    this.#current = { step, since: performance.now() };
  }

  /** Durations in milliseconds, including the current step's duration so far. */
  get timings(): Timings {
    this.#measure();
    return { ...this.#queued.timings, ...this.#durations };
  }

  /** The warnings, each once and with its location. */
  get placedWarnings(): DocumentWarning[] {
    return placedWarnings(this.warnings, this.sources);
  }

  /** Returns what is known when the attempt fails. */
  report(): AttemptProgress {
    const warnings = this.placedWarnings;
    return { ...this.#queued, timings: this.timings, ...(warnings.length > 0 && { warnings }) };
  }

  #measure(): void {
    if (!this.#current) return;
    const { step, since } = this.#current;
    this.#durations[step] = rounded(performance.now() - since);
  }
}

/** Clock skew between machines can make a wait negative. */
export function rounded(milliseconds: number): number {
  return Math.round(Math.max(0, milliseconds) * 10) / 10;
}
