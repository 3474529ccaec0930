import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import {
  DocumentError,
  documentFailure,
  type DocumentFailure,
} from '@trifold/platform/errors/document-error.ts';
import { TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import type { Violation } from '@trifold/platform/templating/schema/data-schema.ts';

/** Code of a job that was not started because its account has too many finished jobs that may not be deleted early. */
export const TOO_MANY_KEPT = 'too_many_kept';

/** Permanent failure of a job or batch: it ends as Failed with this code. */
export class WorkError extends DocumentError {}

/** Returns the reason that the work cannot be done; rethrows any other error so that the work is retried. */
export function workErrorOf(error: unknown): DocumentFailure {
  if (error instanceof WorkError || error instanceof TemplateSourceError) {
    return documentFailure(error.code, error.message);
  }
  if (error instanceof ObjectStoreError && !error.retryable) {
    const message = `the object store rejected a read or write for this document (${error.code})`;
    return documentFailure('storage_failed', message);
  }
  throw error;
}

/** Formats violations as one sentence with path and problem, but never the data. */
export function violationsText(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => `${path} ${message}`).join('; ');
}
