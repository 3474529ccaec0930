import {
  documentKeyOf,
  type DocumentResult,
  type GenerationJob,
  type GenerationJobStatus,
} from '@trifold/crds';
import { observed } from '@trifold/platform/kubernetes/controller/observed.ts';
import type { AttemptProgress } from '@trifold/platform/render-queue/port.ts';
import { isActive, isDispatched, outcomeOf, type TrackedDocument } from '../tracked-work.ts';
import { documentStatus, measured, observedEnd, reasonOf } from '../status-parts.ts';
import { templateNoun, type Pinned } from '../inline-template.ts';
import type { TrackedJob } from './tracked-jobs.ts';

/** Returns the status of a job whose template is pinned, before anything is dispatched. */
export function pinnedStatus(job: GenerationJob, pinned: Pinned, now: Date): GenerationJobStatus {
  const { version } = pinned;
  const message = `renders ${version === undefined ? '' : `version ${version} of `}${templateNoun(job.spec)}`;
  const condition = { type: 'Accepted', status: 'True', reason: 'RevisionPinned', message } as const;
  return { ...job.status, ...observed(job, [condition], now), phase: 'Pending', ...pinned };
}

type Tracked = Pick<TrackedJob, 'document'>;

/** Returns the status of an unfinished job, with its progress. */
export function progressStatus(job: GenerationJob, { document }: Tracked, now: Date): GenerationJobStatus {
  const condition = { type: 'Dispatched', status: 'True', ...reasonFor(document) } as const;
  return {
    ...job.status,
    ...observed(job, [condition], now),
    ...renderedOf(job),
    ...documentStatus(document),
  };
}

/** Returns the final status of a job whose document has a final result. */
export function finishedStatus(job: GenerationJob, { document }: Tracked, now: Date): GenerationJobStatus {
  const outcome = outcomeOf(document);
  if (!outcome) throw new Error(`the document for job ${job.metadata.name} is not finished`);
  const end = documentStatus(document);
  const { error, warnings = [] } = end;
  const result = outcome.status === 'completed' ? outcome.result : undefined;
  const condition = result
    ? { type: 'Complete', reason: 'Rendered', message: summaryOf(result, warnings.length) }
    : { type: 'Failed', reason: reasonOf(error?.code ?? ''), message: error?.message ?? '' };
  return {
    ...job.status,
    ...observedEnd(job, { ...condition, status: 'True' }, now),
    ...renderedOf(job),
    ...end,
    ...(outcome.status === 'completed'
      ? storedResult(job, outcome.result)
      : { ...failedProgress(outcome.progress), finishedAt: now.toISOString() }),
  };
}

/** Returns the result fields that batch items do not have. */
function storedResult(job: GenerationJob, result: DocumentResult): GenerationJobStatus {
  const { sha256, timings, startedAt, finishedAt } = result;
  return { objectKey: documentKeyOf(job), sha256, timings: storableTimings(timings), startedAt, finishedAt };
}

/** Returns what is known about the last attempt of a failed job, except its warnings. */
function failedProgress({ timings, startedAt }: AttemptProgress = {}): GenerationJobStatus {
  return {
    ...(timings && { timings: storableTimings(timings) }),
    ...(startedAt !== undefined && { startedAt }),
  };
}

type Timings = NonNullable<AttemptProgress['timings']>;

const STEPS = ['queuedMs', 'mergeMs', 'printMs', 'storeMs'] as const;

/** Returns the steps that have a duration. */
function storableTimings(timings: Timings): Timings {
  const known = STEPS.flatMap((step) => {
    const duration = timings[step];
    return duration === undefined ? [] : [[step, measured(duration)] as const];
  });
  return Object.fromEntries(known);
}

function reasonFor(document: TrackedDocument) {
  const { attempt, lastFailure } = document;
  if (isActive(document)) return { reason: 'Rendering', message: 'a renderer is working on the document' };
  if (isDispatched(document) || attempt === 1) return { reason: 'Queued', message: 'waiting for a renderer' };
  const why = lastFailure?.code ?? 'its outcome is unknown';
  return { reason: 'Retrying', message: `attempt ${attempt - 1} failed: ${why}` };
}

function summaryOf({ pages, size }: DocumentResult, warnings: number): string {
  return [
    ...(pages === 0 ? [] : [countOf(pages, 'page')]),
    `${size} bytes`,
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ].join(', ');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the job's revision and version, from the spec or the status. */
function renderedOf(job: GenerationJob): Pick<GenerationJobStatus, 'revision' | 'version'> {
  const revision = job.spec.revision ?? job.status?.revision;
  const version = job.spec.version ?? job.status?.version;
  return { ...(revision !== undefined && { revision }), ...(version !== undefined && { version }) };
}
