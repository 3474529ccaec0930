import { lookup } from 'node:dns/promises';
import { abortable } from '../async/abortable.ts';

/** Maximum concurrent lookups: each occupies one of Node's four threads until the name server responds. */
const CONCURRENCY = 2;
/** Maximum number of waiting names; further lookups fail. */
const MAX_WAITING = 64;

interface Asked {
  readonly hostname: string;
  readonly found: PromiseWithResolvers<string[]>;
  /** Number of callers still waiting for the result. */
  askers: number;
}

/**
 * Resolves names with the system resolver (getaddrinfo), a few at a time; concurrent callers share one lookup per name.
 */
export class MachineLookups {
  readonly #lookup: (hostname: string) => Promise<string[]>;
  /** In lookup order. */
  readonly #waiting = new Map<string, Asked>();
  readonly #running = new Map<string, Asked>();

  /** @param find Looks up one name. @default getaddrinfo */
  constructor(find: (hostname: string) => Promise<string[]> = byMachine) {
    this.#lookup = find;
  }

  /**
   * Rejects when the name has no address, when too many names are waiting, or with the signal's reason. A name that no
   * caller is waiting for leaves the queue.
   */
  async find(hostname: string, signal?: AbortSignal): Promise<string[]> {
    signal?.throwIfAborted();
    const asked = this.#running.get(hostname) ?? this.#waiting.get(hostname) ?? this.#ask(hostname);
    asked.askers += 1;
    this.#startNext();
    try {
      return await abortable(asked.found.promise, signal);
    } finally {
      asked.askers -= 1;
      if (asked.askers === 0 && this.#waiting.get(hostname) === asked) this.#waiting.delete(hostname);
    }
  }

  #ask(hostname: string): Asked {
    if (this.#waiting.size >= MAX_WAITING) throw new Error('too many DNS lookups are in progress');
    const asked = { hostname, found: Promise.withResolvers<string[]>(), askers: 0 };
    // All callers may have stopped waiting.
    asked.found.promise.catch(() => undefined);
    this.#waiting.set(hostname, asked);
    return asked;
  }

  #startNext(): void {
    for (const asked of this.#waiting.values()) {
      if (this.#running.size >= CONCURRENCY) return;
      this.#waiting.delete(asked.hostname);
      this.#running.set(asked.hostname, asked);
      void this.#run(asked);
    }
  }

  async #run({ hostname, found }: Asked): Promise<void> {
    try {
      found.resolve(await this.#lookup(hostname));
    } catch (error) {
      found.reject(error);
    } finally {
      this.#running.delete(hostname);
      this.#startNext();
    }
  }
}

async function byMachine(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
