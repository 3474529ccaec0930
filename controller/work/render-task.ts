import { dataKey, revisionKey, revisionTimeOf, type Batch, type GenerationJob } from '@trifold/crds';
import { encodeFacts, type DocumentFacts } from '@trifold/platform/records/documents/document-facts.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { Dispatch } from './attempt-engine.ts';
import type { TrackedDocument } from './tracked-work.ts';
import { WorkError } from './work-error.ts';

/**
 * Metadata of an object is limited to 2 KiB (see the object store's port); the renderer adds its results to the facts.
 */
const LARGEST_FACTS = 1700;

/** The document that a task renders. */
export interface TaskDocument extends Pick<TrackedDocument, 'key'> {
  readonly facts: DocumentFacts;
  /** The data in JSON, when the task carries it. */
  readonly data?: string | undefined;
}

/**
 * Returns the task that renders a document of a job or batch whose revision is decided. Throws WorkError when its facts
 * cannot be stored.
 */
export function renderTaskOf(
  { metadata, spec, status }: GenerationJob | (Batch & { readonly status?: { readonly revision?: never } }),
  { key, facts, data }: TaskDocument,
  dispatch: Dispatch,
): RenderTask {
  const { namespace: account = 'default', name } = metadata;
  const revision = spec.revision ?? status?.revision;
  if (revision === undefined || key === undefined)
    throw new Error(`revision or key of ${name} is not decided`);
  const { job, uid, format, mode, createdAt } = facts;
  return {
    ...dispatch,
    account,
    job,
    uid,
    format,
    mode,
    createdAt,
    revisionKey: revisionKey(account, revision, revisionTimeOf({ metadata })),
    dataKey: dataKey(key),
    ...(data !== undefined && { data }),
    resultKey: key,
    options: spec.options ?? {},
    facts: storableFacts(facts),
  };
}

/** Returns the facts as metadata of the file. Throws WorkError when they do not fit. */
function storableFacts(documentFacts: DocumentFacts): Record<string, string> {
  const facts = encodeFacts(documentFacts);
  const bytes = Object.entries(facts).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= LARGEST_FACTS) return facts;
  const message = `the names of job, template and file are too long together: ${bytes} bytes of ${LARGEST_FACTS}`;
  throw new WorkError('facts_too_large', message);
}
