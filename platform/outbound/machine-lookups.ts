import { lookup } from 'node:dns/promises';
import { abortable } from '../kubernetes/client/abortable.ts';

/** Names looked up at once: each takes one of Node's four threads for as long as a name server likes. */
const AT_ONCE = 2;
/** Names that wait for their turn; of more nothing is found. */
const MOST_WAITING = 64;

interface Asked {
  readonly hostname: string;
  readonly found: PromiseWithResolvers<string[]>;
  /** Those who still want to know. */
  askers: number;
}

/** Finds addresses by the machine's own ways (getaddrinfo), few names at once, the same name once for all who ask for it. */
export class MachineLookups {
  readonly #lookup: (hostname: string) => Promise<string[]>;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Asked>();
  readonly #running = new Map<string, Asked>();

  /** @param find What looks one name up. @default getaddrinfo */
  constructor(find: (hostname: string) => Promise<string[]> = byMachine) {
    this.#lookup = find;
  }

  /** Rejects when there are none, when too many names wait, or with the signal's reason; then others have its turn. */
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
    if (this.#waiting.size >= MOST_WAITING) throw new Error('too many names are being looked up');
    const asked = { hostname, found: Promise.withResolvers<string[]>(), askers: 0 };
    // Perhaps nobody wants to know any more.
    asked.found.promise.catch(() => undefined);
    this.#waiting.set(hostname, asked);
    return asked;
  }

  #startNext(): void {
    for (const asked of this.#waiting.values()) {
      if (this.#running.size >= AT_ONCE) return;
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
