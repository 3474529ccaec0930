import { isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { expiresAtOf } from '@trifold/platform/records/documents/accepted-work.ts';
import type { WorkUsage } from '@trifold/platform/records/usage/work-usage.ts';
import type { DueWork } from '../usage/account-state.ts';
import type { UsageAccounting } from '../usage/usage-accounting.ts';
import type { FinishedWorkLimit } from './finished-work-limit.ts';
import { finishedAt, mayLeaveEarly, retentionEnd } from './retention-time.ts';

/** What a finished job or batch leaves behind. */
export interface WorkCleanup<R extends GenerationJob | Batch> {
  /** Returns what it adds to which day; undefined once it is being deleted. */
  usageOf(resource: R): WorkUsage | undefined;
  /** Whether a client deleted it. A resource is settled once before that and once after. */
  isDeleted(resource: R): boolean;
  /**
   * Deletes what is no longer needed and stores the record that answers requests afterwards. Runs before any delete of
   * the resource; idempotent, so a crash does no harm. Returns false when the resource differs from the cache; the
   * cache reports the change later.
   */
  settle(resource: R, signal: AbortSignal): Promise<boolean>;
  /** Deletes the files and the record, unless they belong to another object of the same id. */
  deleteFiles(resource: R): Promise<void>;
}

export interface RetentionDependencies<R extends GenerationJob | Batch> {
  /** Counts the object and deletes its resource. */
  readonly accounting: Pick<UsageAccounting, 'expire' | 'forget'>;
  /** May hold finished objects in a reduced form. */
  readonly cache: { get(namespace: string | undefined, name: string): R | undefined };
  readonly cleanup: WorkCleanup<R>;
  /** Deletes surplus work before its time to live is over. */
  readonly limit: Pick<FinishedWorkLimit, 'note' | 'forget'>;
  readonly clock: Clock;
  /** Time to live of objects whose spec sets none. */
  readonly ttlSecondsAfterFinished: number;
}

/** Delay before a resource that should be deleted is checked again. */
const RECHECK_MS = 60_000;

/**
 * Removes what a finished job or batch leaves behind as soon as it is no longer needed: its data at once, its resource
 * after its time to live, its files when they expire.
 */
export class RetentionReconciler<R extends GenerationJob | Batch> implements Reconciler {
  readonly #d: RetentionDependencies<R>;
  /** The objects that are settled, by key. */
  readonly #settled = new Map<string, { readonly uid: string; readonly isDeleted: boolean }>();

  constructor(dependencies: RetentionDependencies<R>) {
    this.#d = dependencies;
  }

  async reconcile({ namespace = 'default', name }: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { accounting, cache, limit, cleanup } = this.#d;
    const key = formatKey(namespace, name);
    const resource = cache.get(namespace, name);
    const settled = this.#settled.get(key);
    if (settled !== undefined && settled.uid !== resource?.metadata.uid) {
      this.#settled.delete(key);
      accounting.forget(namespace, settled.uid);
      limit.forget(namespace, settled.uid);
    }
    if (!resource || !isFinished(resource)) return;
    const isDeleted = cleanup.isDeleted(resource);
    if (this.#settled.get(key)?.isDeleted !== isDeleted) {
      if (!(await cleanup.settle(resource, signal))) return;
      this.#settled.set(key, { uid: resource.metadata.uid, isDeleted });
    }
    return this.#expire(resource);
  }

  async #expire(resource: R): Promise<ReconcileResult> {
    const { accounting, clock, limit, cleanup, ttlSecondsAfterFinished } = this.#d;
    const date = clock.now();
    const now = date.getTime();
    const expiry = expiresAtOf(resource).getTime();
    const end = retentionEnd(resource, date, ttlSecondsAfterFinished);
    if (now >= expiry) await cleanup.deleteFiles(resource);
    const work = this.#workOf(resource);
    if (now < end) {
      const early = mayLeaveEarly(resource);
      if (work) limit.note({ ...work, finishedAt: finishedAt(resource, date), mayLeaveEarly: early });
      return { requeueAfterMs: Math.min(end, expiry > now ? expiry : end) - now };
    }
    if (!work) return;
    accounting.expire(work);
    return { requeueAfterMs: RECHECK_MS };
  }

  /** Returns undefined when it is already being deleted. */
  #workOf(resource: R): DueWork | undefined {
    const work = this.#d.cleanup.usageOf(resource);
    const { namespace: account = 'default', name, uid } = resource.metadata;
    return work && { kind: resource.kind, account, name, uid, day: work.day };
  }
}
