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
  /** Tells whoever wants to know of the end of a job. @default nobody */
  readonly outbox?: Pick<Webhooks, 'tellOfJob'>;
  readonly clock: Clock;
  /** For jobs whose spec does not say. */
  readonly ttlSecondsAfterFinished: number;
}

/** What was to be deleted and is still there after this time is looked at again. */
const RECHECK_MS = 60_000;

/**
 * Keeps what a finished job leaves behind no longer than it is needed: its data goes at once, its resource after its
 * time to live, its file when it expires. For a failed one a record that answers afterwards is stored first.
 */
export class RetentionReconciler implements Reconciler {
  readonly #d: RetentionDependencies;
  /** uids by key of jobs that were put in order already. */
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

  /** Comes before any delete of the resource; doing it again after a crash does no harm. */
  async #settle(job: GenerationJob): Promise<void> {
    const documentKey = documentKeyOf(job);
    const error = job.status?.error;
    // The id answers for the document that had it first.
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
    // Somebody is deleting it already.
    if (!work) return;
    const { namespace: account = 'default', name, uid } = job.metadata;
    this.#d.accounting.expire({ kind: job.kind, account, name, uid, day: work.day });
    return { requeueAfterMs: RECHECK_MS };
  }
}

/** Whether a finished job has been kept for as long as it is to be; `ttlSeconds` for jobs whose spec does not say. */
export function isPastRetention(job: GenerationJob, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= endOf(job, now, ttlSeconds);
}

/** When the resource goes, in milliseconds. */
function endOf(job: GenerationJob, now: Date, ttlSeconds: number): number {
  const seconds = job.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAtOf(job, now).getTime() + seconds * 1000;
  return fileNeedsResource(job) ? Math.max(end, expiresAtOf(job).getTime()) : end;
}

/** Whether the id alone does not lead to the file, or the file goes before its bucket does. */
function fileNeedsResource(job: GenerationJob): boolean {
  const expiresEarly = expiresAtOf(job).getTime() < createdAtOf(job).getTime() + DOCUMENT_LIFETIME_MS;
  return expiresEarly || !hasTimedId(job);
}

/**
 * When the end was there for others to see. A result that was found after a pause of the controller says when it was
 * rendered; whoever waits for the job still has its whole time to live to read it. Nothing ended after now: such a time
 * was written by somebody else, or by a machine whose clock is wrong, and would keep the resource for as long.
 */
function finishedAtOf(job: GenerationJob, now: Date): Date {
  const { finishedAt, conditions = [] } = job.status ?? {};
  const last = conditions.find(({ type }) => type === 'Complete' || type === 'Failed');
  const times = [finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  const believed = times.filter((time) => time <= now.getTime());
  return new Date(Math.max(...believed, createdAtOf(job).getTime()));
}
