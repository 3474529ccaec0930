/** Bytes of JSON that may be read or parsed in one turn of the event loop; a larger object gets a turn to itself. */
const BYTES_PER_TURN = 512 * 1024;

/**
 * Divides work on many objects among turns of the event loop, first come, first served, so that no turn grows with the
 * number of readers or the size of what they read. `perTurn`: bytes by default, or whatever unit `spend` counts.
 */
export class TurnBudget {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #spent = 0;
  #isScheduled = false;

  constructor(perTurn = BYTES_PER_TURN) {
    this.#perTurn = perTurn;
  }

  /** Runs synchronous work in a turn that has bytes left: this one or a later one. */
  run<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    this.#serve();
    return promise;
  }

  /** Runs synchronous work on slices of the values, each like `run`. A value costs one unit. */
  async inSlices<T>(values: readonly T[], work: (slice: readonly T[]) => void): Promise<void> {
    for (let start = 0; start < values.length; start += this.#perTurn) {
      const slice = values.slice(start, start + this.#perTurn);
      await this.run(() => {
        this.spend(slice.length);
        work(slice);
      });
    }
  }

  /** Records bytes that this turn has read or parsed. */
  spend(bytes: number): void {
    this.#spent += bytes;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  /** Whether this turn has no bytes left. */
  get isSpent(): boolean {
    return this.#spent >= this.#perTurn;
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#spent = 0;
    this.#serve();
  }

  #serve(): void {
    while (!this.isSpent) {
      const work = this.#waiting.shift();
      if (!work) return;
      work();
    }
  }
}
