import type { WorkName } from './finished-work.ts';

/** Work whose time to live is over by what the cache says. */
export interface DueWork extends WorkName {
  readonly day: string;
}

/** A resource that the server refused to delete is tried again after this time. */
export const REFUSED_FOR_MS = 60_000;

/** What is known of one account between its rounds. All of it can be lost: the server has the truth. */
export class AccountState {
  /** By uid. */
  readonly due = new Map<string, DueWork>();
  /** Days whose report holds pending work, with the uids in it that are confirmed gone. */
  readonly unsettled = new Map<string, Set<string>>();
  /** No round before this time, in milliseconds, unless there is work for a whole one. */
  nextRoundAt = 0;
  /** When the server last refused to delete what has this uid, in milliseconds. */
  readonly #refused = new Map<string, number>();

  /** What can be counted and deleted now, oldest first: by name, as lists are, for names of ours begin with their time. */
  dueAt(now: number): DueWork[] {
    return [...this.due.values()].filter(({ uid }) => !this.isRefused(uid, now)).toSorted(byName);
  }

  /** Whether nothing can be done for it before the next attempt to delete what was refused. */
  isStuck(now: number): boolean {
    if (this.#refused.size === 0 || this.dueAt(now).length > 0) return false;
    const isSettling = [...this.unsettled.values()].some((gone) => gone.size > 0);
    return !isSettling && [...this.#refused.keys()].every((uid) => this.isRefused(uid, now));
  }

  /** Whether its delete was refused a short while ago. A clock that was put back is no reason to wait. */
  isRefused(uid: string, now: number): boolean {
    const refusedAt = this.#refused.get(uid);
    return refusedAt !== undefined && Math.abs(now - refusedAt) < REFUSED_FOR_MS;
  }

  noteRefusal(uid: string, now: number): void {
    this.#refused.set(uid, now);
  }

  /** It is in the counters of that day, and not there any more. */
  confirm(day: string, uid: string): void {
    this.confirmedOf(day).add(uid);
    this.forget(uid);
  }

  forget(uid: string): void {
    this.due.delete(uid);
    this.#refused.delete(uid);
  }

  /** What is confirmed gone and still pending in the report of that day, which counts as unsettled from now on. */
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
