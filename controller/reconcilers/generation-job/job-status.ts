import {
  documentKeyOf,
  withCondition,
  type Condition,
  type GenerationJob,
  type GenerationJobStatus,
  type GenerationPhase,
  type JobError,
} from '@trifold/crds';
import type { RenderResult } from '@trifold/platform/render-queue/port.ts';

/** What the schema of JobError allows. */
const ERROR_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const LONGEST_MESSAGE = 4096;

const OTHER_END: Readonly<Record<string, string>> = { Complete: 'Failed', Failed: 'Complete' };

/** The status of a job whose template has been looked up for it, before anything is dispatched. */
export function pinnedStatus(
  job: GenerationJob,
  pinned: { revision: string; version: number },
  now: Date,
): GenerationJobStatus {
  const message = `renders version ${pinned.version} of template ${job.spec.templateRef.name}`;
  const condition = { type: 'Accepted', status: 'True', reason: 'RevisionPinned', message } as const;
  return { ...base(job, condition, now), phase: 'Pending', ...pinned };
}

/** How far an unfinished job has come. */
export interface Progress {
  readonly phase: Extract<GenerationPhase, 'Pending' | 'Processing'>;
  readonly attempt: number;
  readonly reason: 'Queued' | 'Rendering' | 'Retrying';
  readonly message: string;
}

/** The status of a job that people should see at work. */
export function progressStatus(job: GenerationJob, progress: Progress, now: Date): GenerationJobStatus {
  const { phase, attempt, reason, message } = progress;
  const condition = { type: 'Dispatched', status: 'True', reason, message } as const;
  return { ...base(job, condition, now), ...renderedOf(job), phase, attempt };
}

/** The last status of a job whose file is stored. */
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
    renderTimeMs: Math.round(duration(result.renderTimeMs)),
    timings: Object.fromEntries(
      Object.entries(result.timings).map(([step, milliseconds]) => [step, duration(milliseconds)]),
    ),
    startedAt: result.startedAt,
    finishedAt: result.finishedAt,
  };
}

/** The last status of a job that failed; `attempt` is left out when nothing was dispatched. */
export function failedStatus(
  job: GenerationJob,
  attempt: number | undefined,
  error: JobError,
  now: Date,
): GenerationJobStatus {
  // A code that the schema refuses would keep the job from ever ending.
  const code = ERROR_CODE.test(error.code) ? error.code : 'render_failed';
  const message = shortened(error.message);
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

/**
 * A status without what others may have put into it, for a server that refuses it as a whole: what the controller has
 * just found out, and nothing that it only carried on.
 */
export function ownPartOf(status: GenerationJobStatus): GenerationJobStatus {
  const { conditions = [], ...rest } = status;
  return { ...rest, conditions: conditions.slice(-1) };
}

/** A condition's reason from an error code: `data_invalid` becomes `DataInvalid`. */
export function reasonOf(code: string): string {
  return code
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function base(
  job: GenerationJob,
  condition: Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>,
  now: Date,
): GenerationJobStatus {
  const observedGeneration = job.metadata.generation;
  // Of the two ends a job has one; the other was written by somebody else.
  const kept = job.status?.conditions?.filter(({ type }) => type !== OTHER_END[condition.type]);
  const conditions = withCondition(kept, { ...condition, observedGeneration }, now);
  return { ...job.status, observedGeneration, conditions };
}

/** Which revision and version the job stands for, wherever they were decided. */
function renderedOf(job: GenerationJob): Pick<GenerationJobStatus, 'revision' | 'version'> {
  const revision = job.spec.revision ?? job.status?.revision;
  const version = job.spec.version ?? job.status?.version;
  return { ...(revision !== undefined && { revision }), ...(version !== undefined && { version }) };
}

/** Machines whose clocks differ measure less than nothing; the schema would refuse the whole status for it. */
function duration(milliseconds: number): number {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}

function shortened(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE - 1)}…`;
}
