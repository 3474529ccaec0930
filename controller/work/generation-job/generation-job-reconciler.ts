import { isDeepStrictEqual } from 'node:util';
import { isFinished, type GenerationJob, type GenerationJobStatus } from '@trifold/crds';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { CANCELLED, isDeleted } from '@trifold/platform/records/documents/finished-document.ts';
import { eventTypeOfPhase } from '../../webhooks/events/job-events.ts';
import type { FinishedWorkLimit } from '../../finished-work/finished-work-limit.ts';
import { mayLeaveEarly } from '../../finished-work/retention-time.ts';
import { renderTaskOf } from '../render-task.ts';
import { TOO_MANY_KEPT, WorkError } from '../work-error.ts';
import {
  WorkReconciler,
  type WorkContext,
  type Prepared,
  type WorkDependencies,
} from '../work-reconciler.ts';
import { carriedData, rejectDeepData, type JobInput } from './job-input.ts';
import { finishedStatus, pinnedStatus, progressStatus } from './job-status.ts';
import type { TemplatePinning } from './template-pinning.ts';
import type { TrackedJob } from './tracked-jobs.ts';

export interface GenerationJobDependencies extends WorkDependencies<GenerationJob, TrackedJob> {
  /** Maximum size of the data that a task carries, in bytes. */
  readonly carriedDataBytes: number;
  readonly input: JobInput;
  readonly pinning: TemplatePinning;
  readonly limit: Pick<FinishedWorkLimit, 'isFull'>;
}

/** Reconciles jobs: decides the template of a job that only names one, and places its data. */
export class GenerationJobReconciler extends WorkReconciler<GenerationJob, TrackedJob> {
  protected override readonly progressStatus = progressStatus;
  protected override readonly finishedStatus = finishedStatus;
  readonly #d: GenerationJobDependencies;

  constructor(dependencies: GenerationJobDependencies) {
    super({ noun: 'job', betweenProgressMs: 200, pacesAttempts: false }, dependencies);
    this.#d = dependencies;
  }

  /** Checks a job that was never dispatched, and pins its template. */
  protected override async accept(context: WorkContext<GenerationJob, TrackedJob>): Promise<GenerationJob> {
    const { resource: job, tracked, signal } = context;
    rejectDeepData(job);
    if (isBegun(context)) return job;
    rejectChanged(job, tracked);
    this.#rejectSurplus(job);
    if (job.spec.revision !== undefined || job.status?.revision !== undefined) return job;
    const pinned = await this.#d.pinning.resolve(job, signal);
    return this.write(context, pinnedStatus(job, pinned, this.#d.clock.now()));
  }

  protected override async prepare(
    context: WorkContext<GenerationJob, TrackedJob>,
  ): Promise<Prepared<GenerationJob>> {
    const job = await this.accept(context);
    const data = carriedData(job, this.#d.carriedDataBytes);
    // The data of an earlier attempt is stored nowhere else.
    if (data !== undefined) rejectChanged(job, context.tracked);
    else if (!isBegun(context)) await this.#d.input.storeData(job, context.signal);
    return {
      resource: job,
      taskOf: ({ key }, dispatch) =>
        renderTaskOf(job, { key, document: acceptedDocument(job), data }, dispatch),
    };
  }

  /** Throws WorkError when the job would have to stay after its end and the account has too many of these. */
  #rejectSurplus(job: GenerationJob): void {
    const { namespace: account = 'default' } = job.metadata;
    if (mayLeaveEarly(job) || !this.#d.limit.isFull(account)) return;
    const message =
      'the account has too many finished jobs with a custom name or time to live: delete some, or use /v1';
    throw new WorkError(TOO_MANY_KEPT, message);
  }

  protected override reject(job: GenerationJob): void {
    if (isDeleted(job)) throw new WorkError(CANCELLED.code, CANCELLED.message);
    super.reject(job);
  }

  protected override withEvent(job: GenerationJob, status: GenerationJobStatus): GenerationJobStatus {
    if (!isFinished({ status })) return status;
    const { namespace: account = 'default' } = job.metadata;
    const deliverTo = this.#d.subscriptions?.deliverTo(account, eventTypeOfPhase(status.phase));
    return { ...status, ...(deliverTo && { deliverTo }) };
  }

  protected override written(_before: GenerationJob, job: GenerationJob): void {
    if (!isFinished(job)) return;
    const { logger, metrics } = this.#d;
    metrics.finished(job);
    const { namespace, name } = job.metadata;
    const { attempt, error, renderTimeMs } = job.status ?? {};
    const about = { namespace, name, attempt, code: error?.code };
    if (error) logger.info(about, 'document failed');
    else logger.debug({ ...about, renderTimeMs }, 'document completed');
  }
}

function isBegun({ resource, tracked }: WorkContext<GenerationJob, TrackedJob>): boolean {
  return tracked.dispatchedAt !== undefined || resource.status?.attempt !== undefined;
}

/**
 * Throws WorkError when the data may have changed since creation. The API server protects the rest of the spec, but CEL
 * cannot see below `data`. An edit of the time to live raises the generation too; if this process missed an edit, it
 * cannot know what changed.
 */
function rejectChanged({ metadata, spec }: GenerationJob, { createdData }: TrackedJob): void {
  if (metadata.generation === 1 || spec.data === undefined) return;
  if (createdData !== undefined && isDeepStrictEqual(spec.data, createdData)) return;
  throw new WorkError(
    'spec_changed',
    'the spec was changed before the document was generated: create a new job',
  );
}
