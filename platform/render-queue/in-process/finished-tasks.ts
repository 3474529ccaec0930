import type { RenderOutcome } from '../port.ts';

/** How long a finished task is remembered: ten minutes, as the port says. */
export const FINISHED_MS = 10 * 60 * 1000;
/** How many finished tasks are remembered, the newest. */
export const FINISHED_LIMIT = 10_000;

/**
 * Outcomes of finished tasks, the oldest forgotten first. No timer: what is too old goes when others come. Kept as
 * text: ten thousand outcomes are mostly never asked for, and a text takes a third of the memory of its objects.
 */
export class FinishedTasks {
  readonly #now: () => number;
  readonly #outcomes = new Map<string, { outcome: string; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(id: string): RenderOutcome | undefined {
    const remembered = this.#outcomes.get(id);
    return remembered && (JSON.parse(remembered.outcome) as RenderOutcome);
  }

  add(id: string, outcome: RenderOutcome): void {
    const now = this.#now();
    this.#outcomes.delete(id);
    this.#outcomes.set(id, { outcome: JSON.stringify(outcome), at: now });
    for (const [oldest, { at }] of this.#outcomes) {
      if (this.#outcomes.size <= FINISHED_LIMIT && now - at <= FINISHED_MS) return;
      this.#outcomes.delete(oldest);
    }
  }
}
