/** Work priorities, in order: work that a user waits for, work that no client waits for, and batch work. */
export const PRIORITIES = ['interactive', 'asynchronous', 'batch'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Returns the result of `create` for each priority. */
export function byPriority<T>(create: (priority: Priority) => T): Record<Priority, T> {
  return {
    interactive: create('interactive'),
    asynchronous: create('asynchronous'),
    batch: create('batch'),
  };
}

type LowerPriority = Exclude<Priority, 'interactive'>;

/** One in this many turns goes to a lower priority while higher ones have work, so that nothing starves. */
const TURN_EVERY = 8;

/** Decides which priority has the next turn: the highest one with work, except for the shares of the lower ones. */
export class PriorityTurns {
  /** Number of turns that each lower priority has waited. The two priorities' turns do not coincide. */
  readonly #waited: Record<LowerPriority, number> = { asynchronous: TURN_EVERY / 2, batch: 0 };

  /** Takes a turn. Returns undefined if no priority has work. */
  next(hasWork: (priority: Priority) => boolean): Priority | undefined {
    const [first, ...lower] = PRIORITIES.filter(hasWork) as [Priority?, ...LowerPriority[]];
    for (const priority of lower) this.#waited[priority] += 1;
    const due = lower.find((priority) => this.#waited[priority] >= TURN_EVERY);
    if (due === undefined) return first;
    this.#waited[due] -= TURN_EVERY;
    return due;
  }
}
