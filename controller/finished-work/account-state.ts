import type { WorkName } from './counted-kind.ts';

/** Work whose TTL has expired, according to the cache. */
export interface DueWork extends WorkName {
  readonly day: string;
}

/** Delay before a rejected delete of a resource is retried. */
export const REJECTED_FOR_MS = 60_000;

/** An account's state between rounds. It can be lost without harm: the server is the source of truth. */
export class AccountState {
  /** By uid. */
  readonly due = new Map<string, DueWork>();
  /** Days whose report contains pending work, with the uids of the work that is confirmed deleted. */
  readonly unsettled = new Map<string, Set<string>>();
  /** Earliest time of the next round, as `Clock.monotonicMs`, unless there is work for a full round. */
  nextRoundAt = 0;
  /** Time of the last rejected delete, as `Clock.monotonicMs`, by uid. */
  readonly #rejected = new Map<string, number>();

  /**
   * Returns the work that can be counted and deleted now, oldest first. Sorted by name, like lists, because our names
   * begin with a time.
   */
  dueAt(now: number): DueWork[] {
    return [...this.due.values()].filter(({ uid }) => !this.isRejected(uid, now)).toSorted(byName);
  }

  /** Whether nothing can be done for the account until rejected deletes are retried. */
  isStuck(now: number): boolean {
    if (this.#rejected.size === 0 || this.dueAt(now).length > 0) return false;
    const isSettling = [...this.unsettled.values()].some((gone) => gone.size > 0);
    return !isSettling && [...this.#rejected.keys()].every((uid) => this.isRejected(uid, now));
  }

  /** Whether the work's delete was rejected recently. */
  isRejected(uid: string, now: number): boolean {
    const rejectedAt = this.#rejected.get(uid);
    return rejectedAt !== undefined && now - rejectedAt < REJECTED_FOR_MS;
  }

  noteRejection(uid: string, now: number): void {
    this.#rejected.set(uid, now);
  }

  /** Records that the work is included in that day's counters and no longer exists. */
  confirm(day: string, uid: string): void {
    this.confirmedOf(day).add(uid);
    this.forget(uid);
  }

  forget(uid: string): void {
    this.due.delete(uid);
    this.#rejected.delete(uid);
  }

  /**
   * Returns the uids that are confirmed deleted but still pending in that day's report. Marks the day as unsettled.
   */
  confirmedOf(day: string): Set<string> {
    const known = this.unsettled.get(day);
    if (known) return known;
    const made = new Set<string>();
    this.unsettled.set(day, made);
    return made;
  }
}

function byName(one: WorkName, other: WorkName): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}
