import { isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { DueWork } from './account-state.ts';
import type { CountedDeletion } from './resource-deletion.ts';
import type { FinishedKind } from './finished-kind.ts';
import type { FinishedWorkLimit } from './finished-work-limit.ts';
import { finishedAt, mayLeaveEarly, retentionEnd } from './deletion-time.ts';

export interface FinishedWorkDependencies<R extends GenerationJob | Batch> {
  /** Counts the object and deletes its resource. */
  readonly deletion: Pick<CountedDeletion, 'expire' | 'forget'>;
  /** May contain finished objects in a reduced form. */
  readonly cache: { get(namespace: string | undefined, name: string): R | undefined };
  readonly kind: FinishedKind<R>;
  /** Deletes surplus work before its TTL expires. */
  readonly limit: Pick<FinishedWorkLimit, 'note' | 'forget'>;
  readonly clock: Clock;
  /** TTL for objects whose spec does not set one. */
  readonly ttlSecondsAfterFinished: number;
}

/** Delay before a resource that should be deleted is rechecked. */
const RECHECK_MS = 60_000;

/**
 * Removes what a finished job or batch leaves behind as soon as it is no longer needed: its data immediately, its
 * resource after its TTL. Its files expire with their bucket (expired-files/).
 */
export class FinishedWorkReconciler<R extends GenerationJob | Batch> implements Reconciler {
  readonly #d: FinishedWorkDependencies<R>;
  /** The objects that are settled, by key. */
  readonly #settled = new Map<string, { readonly uid: string; readonly isDeleted: boolean }>();

  constructor(dependencies: FinishedWorkDependencies<R>) {
    this.#d = dependencies;
  }

  async reconcile({ namespace = 'default', name }: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { deletion, cache, limit, kind } = this.#d;
    const key = formatKey(namespace, name);
    const resource = cache.get(namespace, name);
    const settled = this.#settled.get(key);
    if (settled !== undefined && settled.uid !== resource?.metadata.uid) {
      this.#settled.delete(key);
      deletion.forget(namespace, settled.uid);
      limit.forget(namespace, settled.uid);
    }
    if (!resource || !isFinished(resource)) return;
    const isDeleted = kind.isDeleted(resource);
    if (this.#settled.get(key)?.isDeleted !== isDeleted) {
      if (!(await kind.settle(resource, signal))) return;
      this.#settled.set(key, { uid: resource.metadata.uid, isDeleted });
    }
    return this.#expire(resource);
  }

  async #expire(resource: R): Promise<ReconcileResult> {
    const { deletion, clock, limit, ttlSecondsAfterFinished } = this.#d;
    const date = clock.now();
    const now = date.getTime();
    const end = retentionEnd(resource, date, ttlSecondsAfterFinished);
    const work = this.#workOf(resource);
    if (now < end) {
      const early = mayLeaveEarly(resource);
      if (work) limit.note({ ...work, finishedAt: finishedAt(resource, date), mayLeaveEarly: early });
      return { requeueAfterMs: end - now };
    }
    if (!work) return;
    deletion.expire(work);
    return { requeueAfterMs: RECHECK_MS };
  }

  /** Returns undefined if the object is already being deleted. */
  #workOf(resource: R): DueWork | undefined {
    const work = this.#d.kind.usageOf(resource);
    const { namespace: account = 'default', name, uid } = resource.metadata;
    return work && { kind: resource.kind, account, name, uid, day: work.day };
  }
}
