import { documentKeyOf, revisionKey, revisionTimeOf, type GenerationJob } from '@trifold/crds';
import { createdAtOf, factsOf, modeOf } from '@trifold/platform/records/documents/job-facts.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { storableFacts } from '../storable-facts.ts';
import { inputKey } from './job-input.ts';

export interface Dispatch {
  /** `<uid>-<attempt>`. */
  readonly id: string;
  /** The data in JSON, when the task carries it. */
  readonly data?: string | undefined;
  readonly deadlineMs: number;
  /** Whether the renderer runs it with no other task. */
  readonly exclusive: boolean;
  readonly now: Date;
}

/** Returns the task that renders a job whose revision is decided. Throws WorkError when its facts cannot be stored. */
export function renderTaskOf(job: GenerationJob, dispatch: Dispatch): RenderTask {
  const { namespace = 'default', name, uid } = job.metadata;
  const revision = job.spec.revision ?? job.status?.revision;
  if (revision === undefined) throw new Error(`the revision of job ${name} is not decided`);
  return {
    id: dispatch.id,
    queue: 'interactive',
    account: namespace,
    job: name,
    uid,
    format: job.spec.format ?? 'pdf',
    mode: modeOf(job),
    createdAt: createdAtOf(job).toISOString(),
    revisionKey: revisionKey(namespace, revision, revisionTimeOf(job)),
    dataKey: inputKey(job),
    ...(dispatch.data !== undefined && { data: dispatch.data }),
    resultKey: documentKeyOf(job),
    options: job.spec.options ?? {},
    facts: storableFacts(factsOf(job)),
    deadlineMs: dispatch.deadlineMs,
    ...(dispatch.exclusive && { exclusive: true }),
    enqueuedAt: dispatch.now.toISOString(),
  };
}
