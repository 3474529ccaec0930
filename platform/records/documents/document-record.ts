import { isFinished, type DocumentWarning, type GenerationJob, type JobError } from '@trifold/crds';
import type { DocumentFacts } from './document-facts.ts';
import { factsOf } from './job-facts.ts';

/**
 * Record of a finished document, kept until the document expires, if it failed, has warnings, or the client gave it
 * metadata. JSON.
 */
export interface DocumentRecord extends DocumentFacts {
  /** Set if the document failed. */
  readonly error?: JobError;
  readonly warnings?: readonly DocumentWarning[];
  readonly finishedAt: string;
}

/** Returns the record of a job; undefined while it is not finished, and if the metadata of its file says the same. */
export function documentRecordOf(job: GenerationJob): DocumentRecord | undefined {
  if (!isFinished(job)) return undefined;
  const facts = factsOf(job);
  const { error, warnings, finishedAt = facts.createdAt } = job.status ?? {};
  if (!error && !warnings && !facts.metadata) return undefined;
  return { ...facts, ...(error && { error }), ...(warnings && { warnings }), finishedAt };
}
