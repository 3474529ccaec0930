import type { Logger } from '@trifold/platform/process/logging.ts';
import type { TurnBudget } from '@trifold/platform/async/turn-budget.ts';

/** Number of items handled in one turn of the event loop; fewer if they are large. */
const PER_TURN = 20;

/**
 * Queue of follow-up work for writes. Runs soon after a write but never within it, a few items per turn of the event
 * loop. An item that is added again before it runs is handled once. A failure is logged and does not stop the others.
 */
export class Backlog<Item> {
  readonly #items = new Set<Item>();
  readonly #handle: (item: Item) => void;
  readonly #logger: Logger;
  readonly #turns: TurnBudget;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(turns: TurnBudget, logger: Logger, handle: (item: Item) => void) {
    this.#logger = logger;
    this.#turns = turns;
    this.#handle = handle;
  }

  add(item: Item): void {
    if (this.#stopped) return;
    this.#items.add(item);
    this.#scheduled ??= setImmediate(() => this.#turn());
  }

  stop(): void {
    this.#stopped = true;
    this.#items.clear();
    if (this.#scheduled) clearImmediate(this.#scheduled);
  }

  #turn(): void {
    this.#scheduled = undefined;
    let handled = 0;
    for (const item of [...this.#items].slice(0, PER_TURN)) {
      if (handled > 0 && this.#turns.isSpent) break;
      handled += 1;
      this.#items.delete(item);
      try {
        this.#handle(item);
      } catch (err) {
        this.#logger.error({ err }, 'follow-up of a write failed');
      }
    }
    if (this.#items.size > 0 && !this.#stopped) this.#scheduled ??= setImmediate(() => this.#turn());
  }
}
