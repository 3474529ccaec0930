import type { RenderOutcome } from '../port.ts';

/** Retention of finished tasks: ten minutes, as the port requires. */
export const FINISHED_MS = 10 * 60 * 1000;
/** Maximum number of finished tasks kept, the newest. */
export const FINISHED_LIMIT = 10_000;

/**
 * Outcomes of finished tasks, the oldest evicted first. There is no timer: expired entries are removed when others are
 * added. Entries are kept as text: most of the ten thousand outcomes are never read, and text takes a third of the
 * memory of objects.
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
