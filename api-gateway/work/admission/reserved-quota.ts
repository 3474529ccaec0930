import type { Clock } from '@trifold/platform/service/clock.ts';

/** What is about to be created. */
export interface PlannedWork {
  readonly kind: string;
  /** Namespace of the account. */
  readonly account: string;
  readonly name: string;
  /** How many documents it is. */
  readonly documents: number;
}

interface Place {
  readonly account: string;
  readonly documents: number;
  /** How many are about to create it: sendings of one request have one name. */
  makers: number;
  /** Once it is there; milliseconds since the epoch. */
  madeAt: number | undefined;
}

/** A watch shows what was created within milliseconds, unless it ended between two lists. */
const SHOWN_WITHIN_MS = 30_000;

/**
 * The room that this process has promised to what it is about to create, or has created and no watch has shown yet.
 * Each resource has one place by its name, however many are about to create it.
 */
export class ReservedQuota {
  readonly #clock: Clock;
  readonly #places = new Map<string, Place>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Documents of the account. */
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

  /** Keeps the room until `create` has failed, or has succeeded and `shown` was called; 30 seconds longer at most. */
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

  /** It is counted by those who watch from now on. */
  shown(kind: string, account: string, name: string): void {
    this.#places.delete(keyOf(kind, account, name));
  }

  #release(key: string, place: Place): void {
    // It may have been shown meanwhile, and planned again.
    if (this.#places.get(key) === place) this.#places.delete(key);
  }
}

function keyOf(kind: string, account: string, name: string): string {
  return `${kind}/${account}/${name}`;
}
