import { documentKeyOf, revisionKey, revisionTimeOf, type GenerationJob } from '@trifold/crds';
import { encodeFacts } from '@trifold/platform/documents/document-facts.ts';
import { createdAtOf, factsOf, modeOf } from '@trifold/platform/documents/job-facts.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { inputKey } from './job-input.ts';
import { JobRefusal } from './job-refusal.ts';

/** Metadata of an object may have 2 KiB (see the object store's port); the renderer adds its results to the facts. */
const LARGEST_FACTS = 1700;

export interface Dispatch {
  /** `<uid>-<attempt>`. */
  readonly id: string;
  /** The data in JSON, when the task carries it. */
  readonly data?: string | undefined;
  readonly deadlineMs: number;
  readonly now: Date;
}

/** The task that renders a job whose revision is decided. Throws JobRefusal when its facts cannot be stored. */
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
    format: 'pdf',
    mode: modeOf(job),
    createdAt: createdAtOf(job).toISOString(),
    revisionKey: revisionKey(namespace, revision, revisionTimeOf(job)),
    dataKey: inputKey(job),
    ...(dispatch.data !== undefined && { data: dispatch.data }),
    resultKey: documentKeyOf(job),
    options: job.spec.options ?? {},
    facts: storableFacts(job),
    deadlineMs: dispatch.deadlineMs,
    enqueuedAt: dispatch.now.toISOString(),
  };
}

function storableFacts(job: GenerationJob): Record<string, string> {
  const facts = encodeFacts(factsOf(job));
  const bytes = Object.entries(facts).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= LARGEST_FACTS) return facts;
  const message = `the names of job, template and file are too long together: ${bytes} bytes of ${LARGEST_FACTS}`;
  throw new JobRefusal('facts_too_large', message);
}
