import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ControllerConfig } from '../config.ts';
import type { DueWork } from './account-state.ts';

/** Finished work whose deliveries and record are stored. */
export interface SettledWork extends DueWork {
  /** In milliseconds. */
  readonly finishedAt: number;
  /** Whether it may be deleted before its time to live is over. */
  readonly mayLeaveEarly: boolean;
}

type Limits = Pick<ControllerConfig, 'finishedJobsPerAccount' | 'finishedJobs' | 'keptJobsPerAccount'>;

/** Minimum age of surplus work, so that clients which watch a job see its end. */
const MINIMUM_AGE_MS = 10_000;

/**
 * Bounds finished jobs and batches by number: the oldest ones beyond the limits are deleted before their time to live
 * is over. Work that has to stay is counted on its own. Runs on the leader only.
 */
export class FinishedWorkLimit {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, 'now'>;
  /** Work within the limits that may leave early, by uid. */
  readonly #within = new Map<string, SettledWork>();
  /** Uids of the work that was handed over, until it is gone. */
  readonly #surplus = new Set<string>();
  /** Uids of the work that has to stay, by account. */
  readonly #kept = new Map<string, Set<string>>();

  constructor(limits: Limits, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Records settled work, or a change of it. */
  note(work: SettledWork): void {
    const { account, uid, mayLeaveEarly } = work;
    if (mayLeaveEarly && this.#surplus.has(uid)) return;
    this.forget(account, uid);
    if (mayLeaveEarly) this.#within.set(uid, work);
    else this.#kept.set(account, (this.#kept.get(account) ?? new Set()).add(uid));
  }

  /** Forgets work that is gone. */
  forget(account: string, uid: string): void {
    this.#within.delete(uid);
    this.#surplus.delete(uid);
    const kept = this.#kept.get(account);
    if (kept?.delete(uid) && kept.size === 0) this.#kept.delete(account);
  }

  /** Whether the limits require its deletion before its time to live is over. */
  isSurplus(uid: string): boolean {
    return this.#surplus.has(uid);
  }

  /** Whether the account has as much finished work that may not leave early as it is allowed to have. */
  isFull(account: string): boolean {
    return (this.#kept.get(account)?.size ?? 0) >= this.#limits.keptJobsPerAccount;
  }

  /** Returns the oldest work beyond the limits, which is surplus from now on. */
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
