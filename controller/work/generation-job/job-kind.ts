import { isDeepStrictEqual } from 'node:util';
import {
  documentKeyOf,
  documentKeyOfId,
  isFinished,
  type GenerationJob,
  type GenerationJobStatus,
} from '@trifold/crds';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { isDeleted } from '@trifold/platform/records/documents/finished-document.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { eventTypeOfPhase } from '../../webhooks/events/job-events.ts';
import type { Subscriptions } from '../../webhooks/events/subscriptions.ts';
import type { FinishedWorkLimit } from '../../finished-work/finished-work-limit.ts';
import { mayLeaveEarly } from '../../finished-work/deletion-time.ts';
import type { DocumentMetrics } from '../document-metrics.ts';
import { attachmentKeys } from '../attachment-keys.ts';
import { renderTaskOf } from '../render-task.ts';
import { TOO_MANY_KEPT, WorkError } from '../work-error.ts';
import type { TaskOf, WorkContext, WorkKind } from '../work-kind.ts';
import { carriedData, rejectDeepData, type JobInput } from './job-input.ts';
import { finishedStatus, pinnedStatus, progressStatus } from './job-status.ts';
import type { TemplatePinning } from './template-pinning.ts';
import type { TrackedJob } from './tracked-jobs.ts';

export interface GenerationJobDependencies {
  /** Maximum size of the data that a task carries, in bytes. */
  readonly carriedDataBytes: number;
  readonly input: JobInput;
  readonly pinning: TemplatePinning;
  readonly limit: Pick<FinishedWorkLimit, 'isFull'>;
  /** Selects the endpoints that are notified of a job's end. */
  readonly subscriptions: Pick<Subscriptions, 'deliverTo'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DocumentMetrics;
}

type Context = WorkContext<GenerationJob, TrackedJob>;

/** Jobs: determines the template of a job that only names one, and stores its data where renderers look for it. */
export class JobKind implements WorkKind<GenerationJob, TrackedJob> {
  readonly noun = 'job';
  readonly betweenProgressMs = 200;
  readonly pacesAttempts = false;
  readonly isDeleted = isDeleted;
  readonly progressStatus = progressStatus;
  readonly #d: GenerationJobDependencies;

  constructor(dependencies: GenerationJobDependencies) {
    this.#d = dependencies;
  }

  /** Checks a job that was never dispatched, and pins its template. */
  async accept(context: Context): Promise<GenerationJobStatus | undefined> {
    const { resource: job, tracked, signal } = context;
    rejectDeepData(job);
    if (isBegun(context)) return undefined;
    rejectChanged(job, tracked);
    this.#rejectSurplus(job);
    if (job.status?.revision !== undefined) return undefined;
    const pinned = await this.#d.pinning.resolve(job, signal);
    return pinned && pinnedStatus(job, pinned, this.#d.clock.now());
  }

  async prepare(context: Context): Promise<TaskOf> {
    const { resource: job, tracked, signal } = context;
    const data = carriedData(job, this.#d.carriedDataBytes);
    // The data of an earlier attempt is stored nowhere else.
    if (data !== undefined) rejectChanged(job, tracked);
    else if (!isBegun(context)) await this.#d.input.storeData(job, signal);
    const { namespace = 'default', name } = job.metadata;
    // A job that was created long after its ID was generated has two keys, and the gateway used the key derived from
    // the ID.
    const keys = attachmentKeys(
      job.spec.attachmentsRef ?? job.status?.attachmentsRef,
      documentKeyOf(job),
      documentKeyOfId(namespace, name),
    );
    const document = { document: acceptedDocument(job), data, attachmentKeys: keys };
    return ({ key }, dispatch) => renderTaskOf(job, { key, ...document }, dispatch);
  }

  /**
   * Throws WorkError if the job would have to be kept after it finishes and the account already has too many such jobs.
   */
  #rejectSurplus(job: GenerationJob): void {
    const { namespace: account = 'default' } = job.metadata;
    if (mayLeaveEarly(job) || !this.#d.limit.isFull(account)) return;
    const message =
      'the account has too many finished jobs with a custom name or time to live: delete some, or use /v1';
    throw new WorkError(TOO_MANY_KEPT, message);
  }

  finishedStatus(job: GenerationJob, tracked: TrackedJob, now: Date): GenerationJobStatus {
    const { namespace: account = 'default' } = job.metadata;
    const status = finishedStatus(job, tracked, now);
    const deliverTo = this.#d.subscriptions.deliverTo(account, eventTypeOfPhase(status.phase));
    return { ...status, ...(deliverTo && { deliverTo }) };
  }

  written(_before: GenerationJob, job: GenerationJob): void {
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

function isBegun({ resource, tracked }: Context): boolean {
  return tracked.dispatchedAt !== undefined || resource.status?.attempt !== undefined;
}

/**
 * Throws WorkError if the data may have changed since creation. The API server protects the rest of the spec, but CEL
 * cannot see inside `data`. Editing the TTL also raises the generation; if this process missed an edit, it cannot know
 * what changed.
 */
function rejectChanged({ metadata, spec }: GenerationJob, { createdData }: TrackedJob): void {
  if (metadata.generation === 1 || spec.data === undefined) return;
  if (createdData !== undefined && isDeepStrictEqual(spec.data, createdData)) return;
  throw new WorkError(
    'spec_changed',
    'the spec was changed before the document was generated: create a new job',
  );
}
