import { isDeepStrictEqual } from 'node:util';
import {
  documentKeyOf,
  isFinished,
  type GenerationJob,
  type GenerationJobStatus,
  type JobError,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { expiresAtOf } from '@trifold/platform/records/documents/job-facts.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { RenderFailure, RenderQueue, TaskState } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../../config.ts';
import type { DocumentMetrics } from '../document-metrics.ts';
import { finalFailure, isOfLostRenderer, retryDelay } from '../attempts.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { WorkError, workErrorOf, unlessFinal } from '../work-error.ts';
import { withLastCondition } from '../status-parts.ts';
import { StatusWriter } from '../status-writer.ts';
import type { StoredResults } from '../stored-results.ts';
import { eventTypeOfPhase } from '../../webhooks/events/job-events.ts';
import type { Subscriptions } from '../../webhooks/events/subscriptions.ts';
import { carriedData, refuseDeepData, type JobInput } from './job-input.ts';
import { completedStatus, failedStatus, pinnedStatus, progressStatus, type Progress } from './job-status.ts';
import { ProgressBudget } from './progress-budget.ts';
import { renderTaskOf } from './render-task.ts';
import type { TemplatePinning } from './template-pinning.ts';
import { beginRetry, taskIdOf, type TrackedJob, type TrackedJobs } from './tracked-jobs.ts';

export interface GenerationJobDependencies {
  readonly jobs: Pick<ResourceClient<GenerationJob>, 'find' | 'replaceStatus'>;
  readonly cache: MutableLister<GenerationJob>;
  readonly tracked: TrackedJobs;
  readonly queue: RenderQueue;
  readonly results: StoredResults;
  readonly input: JobInput;
  readonly pinning: TemplatePinning;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: DocumentMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** Selects the endpoints that are notified of the end of a job. @default nobody */
  readonly subscriptions?: Pick<Subscriptions, 'deliverTo'>;
}

/** A job and its state during one reconcile. */
interface Pass {
  readonly job: GenerationJob;
  readonly tracked: TrackedJob;
  readonly signal: AbortSignal;
}

/**
 * Takes a GenerationJob from its creation to Completed or Failed. The resource and the stored file are the source of
 * truth; the queue and the memory of this process only make it fast. A crash may follow any step: the next reconcile,
 * in any process, detects what was done and continues, and a document is rendered at most once more.
 */
export class GenerationJobReconciler implements Reconciler {
  readonly #d: GenerationJobDependencies;
  readonly #progressBudget: ProgressBudget;
  readonly #statuses: StatusWriter<GenerationJob>;

  constructor(dependencies: GenerationJobDependencies) {
    this.#d = dependencies;
    this.#progressBudget = new ProgressBudget(dependencies.clock);
    const { jobs: client, cache, events } = dependencies;
    this.#statuses = new StatusWriter({ noun: 'job', client, cache, events, ownPartOf: withLastCondition });
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { cache, jobs: client } = this.#d;
    return retryOnConflict(key, { cache, client, signal }, (job) => this.#reconcile(key, job, signal));
  }

  async #reconcile(
    key: ObjectKey,
    job: GenerationJob | undefined,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const before = this.#d.tracked.find(key);
    const gone = !job || job.metadata.deletionTimestamp !== undefined;
    if (before && (gone || before.uid !== job.metadata.uid)) await this.#abandon(before);
    if (gone) return;
    if (isFinished(job)) return this.#d.tracked.forget(before);
    const tracked = this.#d.tracked.track(job);
    const pass = { job, tracked, signal };
    try {
      return await this.#advance(pass);
    } catch (error) {
      return await this.#refuse(pass, workErrorOf(error));
    }
  }

  async #advance(pass: Pass): Promise<ReconcileResult> {
    const standing = await this.#standing(pass);
    switch (standing.status) {
      case 'completed': {
        const { job, tracked } = pass;
        const now = this.#d.clock.now();
        return this.#finish(pass, completedStatus(job, tracked.attempt, standing.result, now));
      }
      case 'failed':
        return this.#retryOrFail(pass, standing.failure);
      case 'waiting':
      case 'active':
        return this.#show(pass, standing.status);
      case 'unknown':
        return this.#dispatch(pass);
    }
  }

  /**
   * Returns the state of the job's task: from the memory of this process first, then from the queue, then from the
   * store.
   *
   * A gateway job that this process saw appear and has not dispatched has neither a task nor a file, so nothing is
   * looked up: the common document needs no round trip. If that is wrong (a second controller that does not know yet
   * that it lost its lease), nothing breaks: the task's id is the same, a file is stored only if there is none, and the
   * loser of the race reports the winner's facts. The gateway draws a new id for each job; a job created by hand may
   * reuse a name, so it is always looked up.
   */
  async #standing({ job, tracked }: Pass): Promise<TaskState> {
    if (tracked.outcome) return tracked.outcome;
    const fresh = !tracked.inherited && !isBegun(job, tracked);
    const byGateway = job.spec.keyId !== undefined && job.spec.revision !== undefined;
    if (fresh && byGateway) return { status: 'unknown' };
    const state = await this.#d.queue.state(taskIdOf(tracked));
    if (state.status !== 'unknown') return state;
    // The outcome may have arrived while the queue was asked.
    return tracked.outcome ?? (await this.#d.results.find(documentKeyOf(job), job.metadata.uid)) ?? state;
  }

  async #dispatch(pass: Pass): Promise<ReconcileResult> {
    const { clock, config, queue } = this.#d;
    const { tracked } = pass;
    const now = clock.now();
    await this.#refuseExpired(pass, now);
    refuseDeepData(pass.job);
    if (now.getTime() < tracked.retryAt) return { requeueAfterMs: tracked.retryAt - now.getTime() };
    const data = carriedData(pass.job, queue.carriedDataBytes);
    // The data of an earlier attempt is stored nowhere else.
    if (data !== undefined) refuseChanged(pass.job, tracked);
    const admitted = isBegun(pass.job, tracked) ? pass.job : await this.#admit(pass, data === undefined);
    const job = await this.#noteAttempt({ ...pass, job: admitted });
    const task = renderTaskOf(job, {
      id: taskIdOf(tracked),
      data,
      deadlineMs: config.renderDeadlineMs,
      exclusive: tracked.lostAttempts > 0,
      now,
    });
    tracked.dispatchedAt ??= now.getTime();
    await queue.add(task);
    return { requeueAfterMs: Math.min(config.progressAfterMs, config.resyncMs) };
  }

  /** Checks and prepares a job that was never dispatched. */
  async #admit(pass: Pass, throughStore: boolean): Promise<GenerationJob> {
    const { clock, input, pinning } = this.#d;
    let { job } = pass;
    refuseChanged(job, pass.tracked);
    if (job.spec.revision === undefined && job.status?.revision === undefined) {
      const pinned = await pinning.resolve(job, pass.signal);
      job = await this.#write(pass, pinnedStatus(job, pinned, clock.now()));
    }
    if (throughStore) await input.place(job, pass.signal);
    return job;
  }

  /**
   * Writes a further attempt to the status before it begins, so that a crash cannot give a job more attempts than
   * allowed.
   */
  async #noteAttempt(pass: Pass): Promise<GenerationJob> {
    const { job, tracked } = pass;
    const { attempt, lostAttempts, lastFailure } = tracked;
    if (attempt <= (job.status?.attempt ?? 1)) return job;
    const message = `attempt ${attempt - 1} failed: ${lastFailure?.code ?? 'its outcome is not known'}`;
    const progress: Progress = { phase: 'Pending', attempt, lostAttempts, reason: 'Retrying', message };
    return this.#write(pass, progressStatus(job, progress, this.#d.clock.now()));
  }

  /** Shows the progress of a slow job. A job that finishes quickly gets no progress write, only the final one. */
  async #show(pass: Pass, standing: 'waiting' | 'active'): Promise<ReconcileResult> {
    const { clock, config } = this.#d;
    const { job, tracked } = pass;
    const now = clock.now();
    await this.#refuseExpired(pass, now);
    const hiddenMs = (tracked.dispatchedAt ?? -Infinity) + config.progressAfterMs - now.getTime();
    if (hiddenMs > 0) return { requeueAfterMs: hiddenMs };
    const { attempt, lostAttempts } = tracked;
    const attempts = { attempt, lostAttempts };
    const progress: Progress =
      standing === 'waiting'
        ? { phase: 'Pending', ...attempts, reason: 'Queued', message: 'waits for a renderer' }
        : { phase: 'Processing', ...attempts, reason: 'Rendering', message: 'a renderer has it in hand' };
    const shown = job.status?.phase === progress.phase && job.status.attempt === attempt;
    if (!shown && this.#progressBudget.take()) await this.#write(pass, progressStatus(job, progress, now));
    return { requeueAfterMs: config.resyncMs };
  }

  async #refuseExpired({ job, tracked }: Pass, now: Date): Promise<void> {
    if (now < expiresAtOf(job)) return;
    await this.#d.queue.remove(taskIdOf(tracked));
    throw new WorkError('expired', 'the document was not made before the time at which it expires');
  }

  async #retryOrFail(pass: Pass, failure: RenderFailure): Promise<ReconcileResult> {
    const { clock, config, results } = this.#d;
    const { job, tracked } = pass;
    const { attempt } = tracked;
    const now = clock.now();
    const delayMs = retryDelay(failure, tracked, config);
    // An attempt that could not report, or whose report was lost, may still have stored the file.
    if (delayMs === undefined || isOfLostRenderer(failure)) {
      const stored = await results.find(documentKeyOf(job), job.metadata.uid);
      if (stored?.status === 'completed') {
        return this.#finish(pass, completedStatus(job, attempt, stored.result, now));
      }
    }
    if (delayMs === undefined) return this.#fail(pass, finalFailure(failure));
    beginRetry(tracked, failure, now.getTime() + delayMs);
    return { requeueAfterMs: delayMs };
  }

  /** Fails the job, unless its file is stored: then someone has removed its status since. */
  async #refuse(pass: Pass, refusal: JobError): Promise<void> {
    const { results, clock } = this.#d;
    const { job, tracked } = pass;
    const find = () => results.find(documentKeyOf(job), job.metadata.uid).catch(unlessFinal);
    const stored = refusal instanceof WorkError ? await find() : undefined;
    if (stored?.status !== 'completed') return this.#fail(pass, refusal);
    return this.#finish(pass, completedStatus(job, tracked.attempt, stored.result, clock.now()));
  }

  async #fail(pass: Pass, error: JobError): Promise<void> {
    const { job, tracked } = pass;
    const attempt = isBegun(job, tracked) ? tracked.attempt : undefined;
    const { code, message } = error;
    await this.#finish(pass, failedStatus(job, attempt, { code, message }, this.#d.clock.now()));
  }

  async #finish(pass: Pass, status: GenerationJobStatus): Promise<void> {
    const { logger, metrics, subscriptions } = this.#d;
    const { namespace: account = 'default' } = pass.job.metadata;
    // The same write selects the endpoints and records the end, so that no event is lost in between.
    const deliverTo = subscriptions?.deliverTo(account, eventTypeOfPhase(status.phase));
    const job = await this.#write(pass, { ...status, ...(deliverTo && { deliverTo }) });
    metrics.finished(job);
    const { namespace, name } = job.metadata;
    const about = { namespace, name, attempt: status.attempt, code: status.error?.code };
    if (status.error) logger.info(about, 'document failed');
    else logger.debug({ ...about, renderTimeMs: status.renderTimeMs }, 'document completed');
  }

  /** Rejects with a Conflict when the job has changed since it was read. */
  async #write({ job, signal }: Pass, status: GenerationJobStatus): Promise<GenerationJob> {
    return this.#statuses.replace(job, status, signal);
  }

  /** Removes the task and the data of an unfinished job whose resource is gone: nobody needs its document any more. */
  async #abandon(tracked: TrackedJob): Promise<void> {
    await this.#d.queue.remove(taskIdOf(tracked));
    await this.#d.input.remove(tracked.documentKey);
    this.#d.tracked.forget(tracked);
  }
}

/** Whether an attempt is known to have been dispatched. */
function isBegun(job: GenerationJob, tracked: TrackedJob): boolean {
  return tracked.dispatchedAt !== undefined || job.status?.attempt !== undefined;
}

/**
 * Throws WorkError when the data may have changed since creation. The API server protects the rest of the spec, but CEL
 * cannot see below `data`. An edit of the time to live raises the generation too; if this process missed an edit, it
 * cannot know what changed.
 */
function refuseChanged({ metadata, spec }: GenerationJob, { madeWith }: TrackedJob): void {
  if (metadata.generation === 1 || spec.data === undefined) return;
  if (madeWith !== undefined && isDeepStrictEqual(spec.data, madeWith)) return;
  throw new WorkError('spec_changed', 'the spec was changed before the document was made: make a new job');
}
