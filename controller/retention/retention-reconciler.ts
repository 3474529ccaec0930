import {
  DOCUMENT_LIFETIME_MS,
  documentKeyOf,
  hasTimedId,
  isFinished,
  recordKey,
  type GenerationJob,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { FailureRecord } from '@trifold/platform/records/documents/document-facts.ts';
import { createdAtOf, expiresAtOf, factsOf } from '@trifold/platform/records/documents/job-facts.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { usageOfJob } from '@trifold/platform/records/usage/work-usage.ts';
import type { UsageAccounting } from '../usage/usage-accounting.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { JobInput } from '../work/generation-job/job-input.ts';
import { ID_REUSED } from '../work/stored-results.ts';

export interface RetentionDependencies {
  /** Counts the job and deletes its resource. */
  readonly accounting: Pick<UsageAccounting, 'expire' | 'forget'>;
  readonly cache: { get(namespace: string | undefined, name: string): GenerationJob | undefined };
  readonly store: ObjectStore;
  readonly input: JobInput;
  /** Creates the deliveries for the end of a job. @default nobody is notified */
  readonly outbox?: Pick<Webhooks, 'tellOfJob'>;
  readonly clock: Clock;
  /** Time to live of jobs whose spec sets none. */
  readonly ttlSecondsAfterFinished: number;
}

/** Delay before a resource that should be deleted is checked again. */
const RECHECK_MS = 60_000;

/**
 * Removes what a finished job leaves behind as soon as it is no longer needed: its data at once, its resource after its
 * time to live, its file when it expires. For a failed job, it first stores the record that answers requests
 * afterwards.
 */
export class RetentionReconciler implements Reconciler {
  readonly #d: RetentionDependencies;
  /** uids of the jobs that are settled, by key. */
  readonly #settled = new Map<string, string>();

  constructor(dependencies: RetentionDependencies) {
    this.#d = dependencies;
  }

  async reconcile({ namespace = 'default', name }: ObjectKey): Promise<ReconcileResult> {
    const key = formatKey(namespace, name);
    const job = this.#d.cache.get(namespace, name);
    const settled = this.#settled.get(key);
    if (settled !== undefined && settled !== job?.metadata.uid) {
      this.#settled.delete(key);
      this.#d.accounting.forget(namespace, settled);
    }
    if (!job || !isFinished(job)) return;
    if (!this.#settled.has(key)) {
      await this.#settle(job);
      this.#settled.set(key, job.metadata.uid);
    }
    return this.#expire(job);
  }

  /** Runs before any delete of the resource; idempotent, so a crash does no harm. */
  async #settle(job: GenerationJob): Promise<void> {
    const documentKey = documentKeyOf(job);
    const error = job.status?.error;
    // The id belongs to the document that had it first.
    if (error && error.code !== ID_REUSED) {
      const finishedAt = job.status?.finishedAt ?? finishedAtOf(job, this.#d.clock.now()).toISOString();
      const record: FailureRecord = { ...factsOf(job), error, finishedAt };
      const body = JSON.stringify(record);
      await this.#d.store.put(recordKey(documentKey), body, { contentType: 'application/json' });
    }
    await this.#d.input.remove(documentKey);
    await this.#d.outbox?.tellOfJob(job);
  }

  async #expire(job: GenerationJob): Promise<ReconcileResult> {
    const now = this.#d.clock.now().getTime();
    const expiry = expiresAtOf(job).getTime();
    const end = endOf(job, new Date(now), this.#d.ttlSecondsAfterFinished);
    if (now >= expiry) await this.#deleteFile(job);
    if (now >= end) return this.#countAndDelete(job);
    return { requeueAfterMs: Math.min(end, expiry > now ? expiry : end) - now };
  }

  async #deleteFile(job: GenerationJob): Promise<void> {
    if (job.status?.error?.code === ID_REUSED) return;
    const documentKey = documentKeyOf(job);
    await this.#d.store.delete(documentKey);
    await this.#d.store.delete(recordKey(documentKey));
  }

  #countAndDelete(job: GenerationJob): ReconcileResult {
    const work = usageOfJob(job);
    // It is already being deleted.
    if (!work) return;
    const { namespace: account = 'default', name, uid } = job.metadata;
    this.#d.accounting.expire({ kind: job.kind, account, name, uid, day: work.day });
    return { requeueAfterMs: RECHECK_MS };
  }
}

/** Whether the retention of a finished job is over; `ttlSeconds` applies when the spec sets none. */
export function isPastRetention(job: GenerationJob, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= endOf(job, now, ttlSeconds);
}

/** Returns the time at which the resource is deleted, in milliseconds. */
function endOf(job: GenerationJob, now: Date, ttlSeconds: number): number {
  const seconds = job.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAtOf(job, now).getTime() + seconds * 1000;
  return fileNeedsResource(job) ? Math.max(end, expiresAtOf(job).getTime()) : end;
}

/** Whether the id alone does not lead to the file, or the file expires before its bucket. */
function fileNeedsResource(job: GenerationJob): boolean {
  const expiresEarly = expiresAtOf(job).getTime() < createdAtOf(job).getTime() + DOCUMENT_LIFETIME_MS;
  return expiresEarly || !hasTimedId(job);
}

/**
 * Returns the time at which the end became visible to others. A result that was found after a pause of the controller
 * has the time of its rendering, but clients still get the whole time to live to read it. Ignores times in the future:
 * someone else or a machine with a wrong clock wrote them, and they would keep the resource for that long.
 */
function finishedAtOf(job: GenerationJob, now: Date): Date {
  const { finishedAt, conditions = [] } = job.status ?? {};
  const last = conditions.find(({ type }) => type === 'Complete' || type === 'Failed');
  const times = [finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  const believed = times.filter((time) => time <= now.getTime());
  return new Date(Math.max(...believed, createdAtOf(job).getTime()));
}
