/** Reads that take longer are not repeated at once. */
const LONG_MS = 250;
/** How many times as long as it took a long read is good for. */
const GOOD_FOR = 9;

interface Entry<T> {
  running: Promise<T>;
  /** Begins when the running one has ended, for those who came while it ran. */
  next: Promise<T> | undefined;
}

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Reads for many at a time: of each key one read runs, and who comes meanwhile shares the next one, which sees all that
 * was there when they came. What took long is answered again for a while, so that it takes a tenth of the time at most.
 */
export class SharedReads<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #kept = new Map<string, Kept<T>>();

  constructor(read: (key: string) => Promise<T>) {
    this.#read = read;
  }

  async read(key: string): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept && performance.now() < kept.until) return kept.value;
    const entry = this.#entries.get(key);
    if (!entry) return this.#begin(key);
    entry.next ??= entry.running.catch(() => undefined).then(() => this.#begin(key));
    return entry.next;
  }

  #begin(key: string): Promise<T> {
    const entry: Entry<T> = { running: this.#timed(key), next: undefined };
    this.#entries.set(key, entry);
    const ended = () => {
      if (this.#entries.get(key) === entry && !entry.next) this.#entries.delete(key);
    };
    entry.running.then(ended, ended);
    return entry.running;
  }

  async #timed(key: string): Promise<T> {
    this.#dropOld();
    const began = performance.now();
    const value = await this.#read(key);
    const ended = performance.now();
    const tookMs = ended - began;
    if (tookMs > LONG_MS) this.#kept.set(key, { value, until: ended + tookMs * GOOD_FOR });
    return value;
  }

  #dropOld(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key);
  }
}
