import {
  documentKeyOf,
  storableWarnings,
  type Condition,
  type GenerationJob,
  type GenerationJobStatus,
} from '@trifold/crds';
import type { RenderResult } from '@trifold/platform/render-queue/port.ts';
import { lostAttemptsOf } from '../attempts.ts';
import { dispatchedAttempt, type TrackedDocument } from '../tracked-work.ts';
import { measured, observed, reasonOf, storableError } from '../status-parts.ts';
import type { TrackedJob } from './tracked-jobs.ts';
import type { DocumentFailure } from '@trifold/platform/service/document-error.ts';

/** Returns the status of a job whose template is pinned, before anything is dispatched. */
export function pinnedStatus(
  job: GenerationJob,
  pinned: { revision: string; version: number },
  now: Date,
): GenerationJobStatus {
  const message = `renders version ${pinned.version} of template ${job.spec.templateRef.name}`;
  const condition = { type: 'Accepted', status: 'True', reason: 'RevisionPinned', message } as const;
  return { ...base(job, condition, now), phase: 'Pending', ...pinned };
}

type Tracked = Pick<TrackedJob, 'document'>;

/** Returns the status of an unfinished job, with its progress. */
export function progressStatus(job: GenerationJob, { document }: Tracked, now: Date): GenerationJobStatus {
  const condition = { type: 'Dispatched', status: 'True', ...reasonFor(document) } as const;
  return {
    ...base(job, condition, now),
    ...renderedOf(job),
    phase: document.active ? 'Processing' : 'Pending',
    attempt: document.attempt,
    ...lostAttemptsOf(document),
  };
}

/** Returns the final status of a job whose document is decided. */
export function finishedStatus(job: GenerationJob, { document }: Tracked, now: Date): GenerationJobStatus {
  const { attempt, outcome } = document;
  if (outcome?.status === 'completed') return completedStatus(job, attempt, outcome.result, now);
  if (!outcome) throw new Error(`the document of job ${job.metadata.name} is not decided`);
  return failedStatus(job, dispatchedAttempt(document), outcome.failure, now);
}

function reasonFor({ active, added, attempt, lastFailure }: TrackedDocument) {
  if (active) return { reason: 'Rendering', message: 'a renderer is working on it' };
  if (added || attempt === 1) return { reason: 'Queued', message: 'waits for a renderer' };
  const why = lastFailure?.code ?? 'its outcome is not known';
  return { reason: 'Retrying', message: `attempt ${attempt - 1} failed: ${why}` };
}

function completedStatus(
  job: GenerationJob,
  attempt: number,
  result: RenderResult,
  now: Date,
): GenerationJobStatus {
  const warnings = storableWarnings(result.warnings ?? []);
  const condition = {
    type: 'Complete',
    status: 'True',
    reason: 'Rendered',
    message: summaryOf(result, warnings.length),
  } as const;
  return {
    ...base(job, condition, now),
    ...renderedOf(job),
    phase: 'Completed',
    attempt,
    objectKey: documentKeyOf(job),
    size: result.size,
    pages: result.pages,
    sha256: result.sha256,
    renderTimeMs: Math.round(measured(result.renderTimeMs)),
    timings: Object.fromEntries(
      Object.entries(result.timings).map(([step, milliseconds]) => [step, measured(milliseconds)]),
    ),
    startedAt: result.startedAt,
    finishedAt: result.finishedAt,
    ...(warnings.length > 0 && { warnings }),
  };
}

function summaryOf({ pages, size }: RenderResult, warnings: number): string {
  const summary = `${countOf(pages, 'page')}, ${size} bytes`;
  return warnings === 0 ? summary : `${summary}, ${countOf(warnings, 'warning')}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `attempt` is undefined when nothing was dispatched. */
function failedStatus(
  job: GenerationJob,
  attempt: number | undefined,
  error: DocumentFailure,
  now: Date,
): GenerationJobStatus {
  const { code, message } = storableError(error);
  const condition = { type: 'Failed', status: 'True', reason: reasonOf(code), message } as const;
  return {
    ...base(job, condition, now),
    ...renderedOf(job),
    phase: 'Failed',
    ...(attempt !== undefined && { attempt }),
    finishedAt: now.toISOString(),
    error: { code, message },
  };
}

function base(
  job: GenerationJob,
  condition: Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>,
  now: Date,
): GenerationJobStatus {
  return { ...job.status, ...observed(job, condition, now) };
}

/** Returns the revision and version of the job, from the spec or the status. */
function renderedOf(job: GenerationJob): Pick<GenerationJobStatus, 'revision' | 'version'> {
  const revision = job.spec.revision ?? job.status?.revision;
  const version = job.spec.version ?? job.status?.version;
  return { ...(revision !== undefined && { revision }), ...(version !== undefined && { version }) };
}
