import {
  documentKeyOf,
  type Condition,
  type GenerationJob,
  type GenerationJobStatus,
  type GenerationPhase,
  type JobError,
} from '@trifold/crds';
import type { RenderResult } from '@trifold/platform/render-queue/port.ts';
import { lostAttemptsOf, type Attempts } from '../attempts.ts';
import { measured, observed, reasonOf, storableError } from '../status-parts.ts';

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

/** Progress of an unfinished job. */
export interface Progress extends Attempts {
  readonly phase: Extract<GenerationPhase, 'Pending' | 'Processing'>;
  readonly reason: 'Queued' | 'Rendering' | 'Retrying';
  readonly message: string;
}

/** Returns the status of an unfinished job, with its progress. */
export function progressStatus(job: GenerationJob, progress: Progress, now: Date): GenerationJobStatus {
  const { phase, attempt, reason, message } = progress;
  const condition = { type: 'Dispatched', status: 'True', reason, message } as const;
  return { ...base(job, condition, now), ...renderedOf(job), phase, attempt, ...lostAttemptsOf(progress) };
}

/** Returns the final status of a job whose file is stored. */
export function completedStatus(
  job: GenerationJob,
  attempt: number,
  result: RenderResult,
  now: Date,
): GenerationJobStatus {
  const message = `${result.pages} ${result.pages === 1 ? 'page' : 'pages'}, ${result.size} bytes`;
  const condition = { type: 'Complete', status: 'True', reason: 'Rendered', message } as const;
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
  };
}

/** Returns the final status of a failed job; `attempt` is undefined when nothing was dispatched. */
export function failedStatus(
  job: GenerationJob,
  attempt: number | undefined,
  error: JobError,
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
