import type { Clock } from '@trifold/platform/service/clock.ts';

/** Work that is about to be created. */
export interface PlannedWork {
  readonly kind: string;
  /** Namespace of the account. */
  readonly account: string;
  readonly name: string;
  /** Number of documents. */
  readonly documents: number;
}

interface Place {
  readonly account: string;
  readonly documents: number;
  /** Number of concurrent creators: attempts of one request share one name. */
  makers: number;
  /** Creation time in milliseconds since the epoch; undefined until created. */
  madeAt: number | undefined;
}

/** A watch shows new work within milliseconds, unless the work ended between two lists. */
const SHOWN_WITHIN_MS = 30_000;

/**
 * Quota that this process has reserved for work that it is creating, or has created and no watch has shown yet. Each
 * resource has one reservation by its name, however many requests create it.
 */
export class ReservedQuota {
  readonly #clock: Clock;
  readonly #places = new Map<string, Place>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the number of reserved documents of the account. */
  countOf(account: string): number {
    const shownSince = this.#clock.now().getTime() - SHOWN_WITHIN_MS;
    let count = 0;
    for (const [key, place] of this.#places) {
      if (place.makers === 0 && (place.madeAt ?? 0) <= shownSince) this.#places.delete(key);
      else if (place.account === account) count += place.documents;
    }
    return count;
  }

  has({ kind, account, name }: Omit<PlannedWork, 'documents'>): boolean {
    return this.#places.has(keyOf(kind, account, name));
  }

  /**
   * Holds the reservation until `create` fails, or until it succeeds and `shown` is called, at most 30 seconds later.
   */
  async keep<T>({ kind, account, name, documents }: PlannedWork, create: () => Promise<T>): Promise<T> {
    const key = keyOf(kind, account, name);
    const place = this.#places.get(key) ?? { account, documents, makers: 0, madeAt: undefined };
    this.#places.set(key, place);
    place.makers += 1;
    try {
      const created = await create();
      place.madeAt = this.#clock.now().getTime();
      return created;
    } finally {
      place.makers -= 1;
      if (place.makers === 0 && place.madeAt === undefined) this.#release(key, place);
    }
  }

  /** Drops the reservation: from now on the watch counts the work. */
  shown(kind: string, account: string, name: string): void {
    this.#places.delete(keyOf(kind, account, name));
  }

  #release(key: string, place: Place): void {
    // It may have been shown and reserved again in the meantime.
    if (this.#places.get(key) === place) this.#places.delete(key);
  }
}

function keyOf(kind: string, account: string, name: string): string {
  return `${kind}/${account}/${name}`;
}
