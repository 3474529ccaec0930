import type { JobError } from '@trifold/crds';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { TrifoldError } from '@trifold/platform/service/trifold-error.ts';
import { TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import type { Violation } from '@trifold/platform/templating/schema/data-schema.ts';

/** Codes with which the controller itself fails a job or a batch; renderers have their own codes. Append only. */
export type WorkErrorCode =
  | 'template_not_found'
  | 'template_archived'
  | 'template_source_missing'
  | 'template_invalid'
  | 'revision_missing'
  | 'data_invalid'
  | 'data_missing'
  | 'spec_changed'
  | 'facts_too_large'
  | 'id_invalid'
  | 'all_items_failed'
  | 'expired'
  | 'version_not_found'
  | 'cancelled'
  | 'too_many_kept';

/** Code of a job that was not started because its account keeps too many finished jobs that may not leave early. */
export const TOO_MANY_KEPT = 'too_many_kept';

/** Permanent failure of a job or batch: it ends as Failed with this code. */
export class WorkError extends TrifoldError<WorkErrorCode> {}

/** Returns why the work itself cannot be done; rethrows any other error, so that it is retried. */
export function workErrorOf(error: unknown): JobError {
  if (error instanceof WorkError) return error;
  if (error instanceof TemplateSourceError) return new WorkError(error.code, error.message);
  if (error instanceof ObjectStoreError && !error.retryable) {
    return { code: 'storage_failed', message: 'the object store refused what belongs to this document' };
  }
  throw error;
}

/** Formats violations as one sentence: where and what, never the data itself. */
export function tellViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => `${path} ${message}`).join('; ');
}
