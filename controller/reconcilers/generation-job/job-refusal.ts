import type { Violation } from '@trifold/platform/templates/data-schema.ts';

/** Codes with which the controller fails a job itself; a renderer has codes of its own. Append only. */
export type RefusalCode =
  | 'template_not_found'
  | 'template_archived'
  | 'template_source_missing'
  | 'template_invalid'
  | 'revision_missing'
  | 'data_invalid'
  | 'data_missing'
  | 'spec_changed'
  | 'facts_too_large'
  | 'expired';

/** The job cannot be done, now or later: it ends as Failed with this code. */
export class JobRefusal extends Error {
  override readonly name = 'JobRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Violations as one sentence: where and what, never the data itself. */
export function tellViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => `${path} ${message}`).join('; ');
}
