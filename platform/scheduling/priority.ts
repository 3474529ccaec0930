import { readSettings, wholeNumber, type Environment } from '../service/config.ts';

/** Priorities of work, in order: a person waits for it, a program does not wait for it, it belongs to a batch. */
export const PRIORITIES = ['interactive', 'asynchronous', 'batch'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Returns what `create` makes for each priority. */
export function byPriority<T>(create: (priority: Priority) => T): Record<Priority, T> {
  return {
    interactive: create('interactive'),
    asynchronous: create('asynchronous'),
    batch: create('batch'),
  };
}

/** One turn in this many goes to the priority while higher ones have work, so that nothing starves. */
export type TurnShares = Readonly<Record<Exclude<Priority, 'interactive'>, number>>;

/** With a smaller number, the shares could leave no turn for interactive work. */
const LEAST = 3;
const MOST = 1000;

/** Reads the shares: TRIFOLD_ASYNC_TURN_EVERY and TRIFOLD_BATCH_TURN_EVERY. Throws ConfigError. */
export function loadTurnShares(environment: Environment): TurnShares {
  const parse = wholeNumber(LEAST, MOST);
  return readSettings<TurnShares>(environment, {
    asynchronous: { variable: 'TRIFOLD_ASYNC_TURN_EVERY', parse },
    batch: { variable: 'TRIFOLD_BATCH_TURN_EVERY', parse },
  });
}

const DEFAULT_SHARES = loadTurnShares({});

/** Decides which priority has the next turn: the highest one with work, except for the shares of the lower ones. */
export class PriorityTurns {
  readonly #shares: TurnShares;
  /** Turns for which a priority has waited. */
  readonly #waited: Record<keyof TurnShares, number>;

  /** @param shares @default one turn in eight each */
  constructor(shares: TurnShares = DEFAULT_SHARES) {
    this.#shares = shares;
    // The turns of the two do not coincide.
    this.#waited = { asynchronous: Math.floor(shares.asynchronous / 2), batch: 0 };
  }

  /** Takes a turn. Returns undefined when no priority has work. */
  next(hasWork: (priority: Priority) => boolean): Priority | undefined {
    const [first, ...lower] = PRIORITIES.filter(hasWork) as [Priority?, ...(keyof TurnShares)[]];
    for (const priority of lower) this.#waited[priority] += 1;
    const due = lower.find((priority) => this.#waited[priority] >= this.#shares[priority]);
    if (due === undefined) return first;
    this.#waited[due] -= this.#shares[due];
    return due;
  }
}
