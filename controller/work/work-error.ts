import type { JobError } from '@trifold/crds';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import type { Violation } from '@trifold/platform/templating/schema/data-schema.ts';

/** Codes with which the controller fails a job or a batch itself; a renderer has codes of its own. Append only. */
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
  | 'expired';

/** The job or batch cannot be done, now or later: it ends as Failed with this code. */
export class WorkError extends Error {
  override readonly name = 'WorkError';
  readonly code: WorkErrorCode;

  constructor(code: WorkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why the work itself cannot be done; any other error is thrown on and tried again. */
export function workErrorOf(error: unknown): JobError {
  if (error instanceof WorkError) return error;
  if (error instanceof ObjectStoreError && !error.retryable) {
    return { code: 'storage_failed', message: 'the object store refused what belongs to this document' };
  }
  throw error;
}

/** A store that refuses for good answers with nothing here; one that may answer later is asked again. */
export function unlessFinal(error: unknown): undefined {
  if (!(error instanceof ObjectStoreError) || error.retryable) throw error;
}

/** Violations as one sentence: where and what, never the data itself. */
export function tellViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => `${path} ${message}`).join('; ');
}
