import { isFinished, type DocumentWarning, type GenerationJob, type JobError } from '@trifold/crds';
import type { DocumentFacts } from './document-facts.ts';
import { factsOf } from './job-facts.ts';
import { UNKNOWN_ERROR } from '../../service/document-error.ts';

/** Facts about a document that lists show or search. */
export type ListedDocumentFacts = Pick<
  DocumentFacts,
  'job' | 'uid' | 'template' | 'filename' | 'metadata' | 'createdAt' | 'expiresAt'
>;

/** A finished document in the index of the account's work: what lists show of it. */
export type DocumentRow = { readonly facts: ListedDocumentFacts } & (
  | { readonly status: 'completed'; readonly result: ListedResult; readonly error?: undefined }
  | { readonly status: 'failed'; readonly result?: undefined; readonly error: JobError }
);

/** What lists show of the result of a document. */
export interface ListedResult {
  /** Bytes. */
  readonly size: number;
  readonly renderTimeMs: number;
  readonly warnings: readonly DocumentWarning[];
}

/** Returns the row of a job; undefined while it is not finished. */
export function documentRowOf(job: GenerationJob): DocumentRow | undefined {
  if (!isFinished(job)) return undefined;
  const { job: name, uid, template, filename, metadata, createdAt, expiresAt } = factsOf(job);
  const facts = {
    job: name,
    uid,
    template,
    createdAt,
    expiresAt,
    ...(filename !== undefined && { filename }),
    ...(metadata && { metadata }),
  };
  return { facts, ...outcomeOf(job) };
}

function outcomeOf({ status = {} }: GenerationJob) {
  const { phase, size = 0, renderTimeMs = 0, warnings = [], error } = status;
  if (phase === 'Completed') {
    return { status: 'completed', result: { size, renderTimeMs, warnings } } as const;
  }
  return { status: 'failed', error: error ?? UNKNOWN_ERROR } as const;
}
