import {
  MAX_PENDING,
  type Batch,
  type GenerationJob,
  type PendingWork,
  type UsageReport,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { addUsage, usageOfReport } from '@trifold/platform/records/usage/usage-counters.ts';
import { AccountState, type DueWork } from './account-state.ts';
import type { CountedKind, CountableWork } from './counted-kind.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

type Counted = CountedKind<GenerationJob> | CountedKind<Batch>;

export interface CountedDeletionOptions {
  readonly reports: UsageReports;
  readonly kinds: readonly Counted[];
  /** Receives the index rows that lists show for deleted work. */
  readonly index: Pick<WorkIndex, 'add'>;
  readonly clock: Clock;
  /** Minimum time between two rounds of an account, in milliseconds, unless there is work for a full round. */
  readonly intervalMs: number;
  /** Source of reconcile requests for accounts. */
  readonly requests: Pick<RequestSource, 'enqueue'>;
}

/** Number of concurrent API server writes per account: small, to leave capacity for jobs that users are waiting for. */
const CONCURRENT_DELETES = 4;
const AT_ONCE_MS = 1;

/**
 * Counts finished work exactly once and deletes it, despite crashes or a second controller that believes it is the
 * leader (docs/adr/0014-counting-once.md). A round for an account reads its reports, then queries the server for
 * existing work. One write adds the counters and the uids they include; the server rejects it if the report has
 * changed. Before that write, the work's rows are added to the index, so that pending work never lacks a row. The round
 * then deletes the work. The next write removes the uids, once they are confirmed deleted. A reconcile is one round.
 */
export class CountedDeletion implements Reconciler {
  readonly #options: CountedDeletionOptions;
  readonly #accounts = new Map<string, AccountState>();
  #isResumed = false;

  constructor(options: CountedDeletionOptions) {
    this.#options = options;
  }

  /** Records that the work can be counted and deleted, because everything that must precede its deletion is done. */
  expire(work: DueWork): void {
    this.#stateOf(work.account).due.set(work.uid, work);
    this.#options.requests.enqueue(accountRequest(work.account));
  }

  /** Forgets work that no longer exists or must not be deleted now. */
  forget(account: string, uid: string): void {
    this.#accounts.get(account)?.forget(uid);
  }

  /** Finds the pending work of earlier processes. Does nothing once it has succeeded. */
  async resume(): Promise<void> {
    if (this.#isResumed) return;
    for await (const { account, day } of this.#options.reports.unsettled()) {
      this.#stateOf(account).confirmedOf(day);
      this.#options.requests.enqueue(accountRequest(account));
    }
    this.#isResumed = true;
  }

  async reconcile({ name: account }: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const state = this.#accounts.get(account);
    if (!state) return;
    const { clock, intervalMs, reports } = this.#options;
    const now = clock.monotonicMs();
    const wait = state.nextRoundAt - now;
    if (wait > 0) return { requeueAfterMs: wait };
    if (state.isStuck(now)) return { requeueAfterMs: intervalMs };
    // Also applies after a failed round: work that arrives in the meantime requests the next round immediately.
    state.nextRoundAt = now + intervalMs;
    const handled = await reports.exclusively(account, () => this.#round(account, state, signal));
    // Work that arrived in the meantime waits for more work, to keep the number of writes per document small.
    if (handled > 0 && state.dueAt(now).length >= MAX_PENDING) {
      state.nextRoundAt = 0;
      return { requeueAfterMs: AT_ONCE_MS };
    }
    if (state.due.size + state.unsettled.size === 0) {
      this.#accounts.delete(account);
      return;
    }
    state.nextRoundAt = clock.monotonicMs() + intervalMs;
    return { requeueAfterMs: intervalMs };
  }

  /** Returns the number of due jobs or batches that are done. */
  async #round(account: string, state: AccountState, signal: AbortSignal): Promise<number> {
    const due = state.dueAt(this.#options.clock.monotonicMs()).slice(0, MAX_PENDING);
    const reports = await this.#read(account, state, due, signal);
    const errors: unknown[] = [];
    // Work that another round, possibly in another process, has counted but not yet deleted or confirmed as deleted.
    for (const report of reports) {
      const pending = report.status?.pending ?? [];
      errors.push(...(await this.#delete(state, report, pending, signal)));
    }
    const found = await this.#lookUp(account, due, signal);
    for (const { uid } of due) if (!found.has(uid)) state.due.delete(uid);
    for (const report of reports) {
      const pending = await this.#count(state, report, found, signal);
      errors.push(...(await this.#delete(state, report, pending, signal)));
    }
    if (errors.length > 0) throw errors[0];
    return due.filter(({ uid }) => !state.due.has(uid)).length;
  }

  /**
   * Reads the reports. Must run before existing work is listed: work that exists then and is not in a report was never
   * counted.
   */
  async #read(
    account: string,
    { unsettled }: AccountState,
    due: readonly DueWork[],
    signal: AbortSignal,
  ): Promise<UsageReport[]> {
    const reports: UsageReport[] = [];
    const written = new Set(due.map(({ day }) => day));
    for (const day of new Set([...written, ...unsettled.keys()])) {
      const report = written.has(day)
        ? await this.#options.reports.findOrCreate(account, day, signal)
        : await this.#options.reports.find(account, day, signal);
      if (report) reports.push(report);
      else unsettled.delete(day);
    }
    return reports;
  }

  async #lookUp(
    account: string,
    due: readonly DueWork[],
    signal: AbortSignal,
  ): Promise<Map<string, CountableWork>> {
    const found: CountableWork[] = [];
    for (const kind of this.#options.kinds) {
      const ofKind = due.filter((work) => work.kind === kind.kind);
      found.push(...(await kind.lookUp(account, ofKind, signal)));
    }
    return new Map(found.map((work) => [work.uid, work]));
  }

  /** Returns the work to delete: the current content of the report. */
  async #count(
    state: AccountState,
    report: UsageReport,
    found: ReadonlyMap<string, CountableWork>,
    signal: AbortSignal,
  ): Promise<readonly PendingWork[]> {
    const { metadata } = report;
    const { name: day } = metadata;
    const { pending: before = [], emailsCounted = false } = report.status ?? {};
    const gone = state.confirmedOf(day);
    const kept = before.filter(({ uid }) => !gone.has(uid));
    const counted = new Set(before.map(({ uid }) => uid));
    const fresh = [...found.values()]
      .filter((work) => work.day === day && !counted.has(work.uid))
      .slice(0, MAX_PENDING - kept.length);
    const pending = [...kept, ...fresh.map(({ uid, kind, name }) => ({ uid, kind, name }))];
    if (fresh.length > 0 || gone.size > 0) {
      await this.#addRows(metadata.namespace ?? '', fresh);
      const usage = fresh.reduce((sum, work) => addUsage(sum, work.usage), usageOfReport(report));
      await this.#options.reports.write(report, { usage, pending, emailsCounted }, signal);
      gone.clear();
    }
    if (pending.length === 0) state.unsettled.delete(day);
    return pending;
  }

  /** If the work is not deleted after all, a later round adds its row again; readers drop duplicates. */
  async #addRows(account: string, work: readonly CountableWork[]): Promise<void> {
    const { index, kinds, clock } = this.#options;
    for (const { kind, indexList } of kinds) {
      const rows = work.flatMap((each) => (each.kind === kind && each.row !== undefined ? [each.row] : []));
      await index.add(account, indexList, rows, clock.now());
    }
  }

  /**
   * Returns the errors that affect a single object: it is skipped for a while, so that the others need not wait for it.
   * Rejects when the server is unavailable or asks the client to retry later.
   */
  async #delete(
    state: AccountState,
    { metadata }: UsageReport,
    pending: readonly PendingWork[],
    signal: AbortSignal,
  ): Promise<unknown[]> {
    if (pending.length === 0) return [];
    const { name: day, namespace: account = '' } = metadata;
    const now = this.#options.clock.monotonicMs();
    const gone = state.confirmedOf(day);
    const left = pending.filter(({ uid }) => !gone.has(uid) && !state.isRejected(uid, now));
    const errors: unknown[] = [];
    await inParallel(left, CONCURRENT_DELETES, async ({ kind, name, uid }) => {
      try {
        await this.#kind(kind).delete({ kind, account, name, uid }, signal);
        state.confirm(day, uid);
      } catch (error) {
        if (!(error instanceof KubernetesApiError) || error.retryable) throw error;
        state.noteRejection(uid, now);
        errors.push(error);
      }
    });
    return errors;
  }

  #kind(name: string): Counted {
    const found = this.#options.kinds.find(({ kind }) => kind === name);
    if (!found) throw new Error(`unknown kind of work ${name}`);
    return found;
  }

  #stateOf(account: string): AccountState {
    const known = this.#accounts.get(account);
    if (known) return known;
    const made = new AccountState();
    this.#accounts.set(account, made);
    return made;
  }
}

function accountRequest(account: string): ObjectKey {
  return { name: account };
}
