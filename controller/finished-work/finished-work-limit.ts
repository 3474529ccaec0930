import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ControllerConfig } from '../config.ts';
import type { DueWork } from './account-state.ts';

/** Finished work whose deliveries and record are stored. */
export interface SettledWork extends DueWork {
  /** Finish time, in milliseconds. */
  readonly finishedAt: number;
  /** Whether the work may be deleted before its TTL expires. */
  readonly mayLeaveEarly: boolean;
}

type Limits = Pick<ControllerConfig, 'finishedJobsPerAccount' | 'finishedJobs' | 'keptJobsPerAccount'>;

/** Minimum age of surplus work, so that clients watching a job see it finish. */
const MINIMUM_AGE_MS = 10_000;

/**
 * Limits the number of finished jobs and batches: the oldest ones beyond the limits are deleted before their TTL
 * expires. Work that must be kept is counted separately. Runs only on the leader.
 */
export class FinishedWorkLimit {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, 'now'>;
  /** Work within the limits that may be deleted early, by uid. */
  readonly #within = new Map<string, SettledWork>();
  /** Uids of the work that was handed over, until it is deleted. */
  readonly #surplus = new Set<string>();
  /** Uids of the work that must be kept, by account. */
  readonly #kept = new Map<string, Set<string>>();

  constructor(limits: Limits, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Records settled work, or a change to it. */
  note(work: SettledWork): void {
    const { account, uid, mayLeaveEarly } = work;
    if (mayLeaveEarly && this.#surplus.has(uid)) return;
    this.forget(account, uid);
    if (mayLeaveEarly) this.#within.set(uid, work);
    else this.#kept.set(account, (this.#kept.get(account) ?? new Set()).add(uid));
  }

  /** Forgets deleted work. */
  forget(account: string, uid: string): void {
    this.#within.delete(uid);
    this.#surplus.delete(uid);
    const kept = this.#kept.get(account);
    if (kept?.delete(uid) && kept.size === 0) this.#kept.delete(account);
  }

  /** Whether the limits require the work's deletion before its TTL expires. */
  isSurplus(uid: string): boolean {
    return this.#surplus.has(uid);
  }

  /** Whether the account has reached its limit for finished work that may not be deleted early. */
  isFull(account: string): boolean {
    return (this.#kept.get(account)?.size ?? 0) >= this.#limits.keptJobsPerAccount;
  }

  /** Returns the oldest work beyond the limits and marks it as surplus. */
  sweep(): SettledWork[] {
    const limits = this.#limits;
    const surplus: SettledWork[] = [];
    const oldEnough = this.#clock.now().getTime() - MINIMUM_AGE_MS;
    const perAccount = new Map<string, number>();
    for (const { account } of this.#within.values()) {
      perAccount.set(account, (perAccount.get(account) ?? 0) + 1);
    }
    for (const work of [...this.#within.values()].toSorted(byEnd)) {
      if (work.finishedAt > oldEnough) break;
      const ofAccount = perAccount.get(work.account) ?? 0;
      if (ofAccount <= limits.finishedJobsPerAccount && this.#within.size <= limits.finishedJobs) continue;
      perAccount.set(work.account, ofAccount - 1);
      this.#within.delete(work.uid);
      this.#surplus.add(work.uid);
      surplus.push(work);
    }
    return surplus;
  }
}

function byEnd(one: SettledWork, other: SettledWork): number {
  return one.finishedAt - other.finishedAt;
}
