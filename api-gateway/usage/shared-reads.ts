/** Reads that take longer are cached. */
const LONG_MS = 250;
/** A long read is cached for this multiple of its duration. */
const GOOD_FOR = 9;

interface Entry<T> {
  running: Promise<T>;
  /** Starts when `running` has ended; shared by callers that arrive while it runs. */
  next: Promise<T> | undefined;
}

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Deduplicates reads: each key has at most one running read. Callers that arrive during a read share the next one,
 * which sees everything that existed when they called. Long reads are cached for a while, so that they take at most a
 * tenth of the time.
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
