import { TrifoldError, type PreviewError } from '@trifold/client';
import { partOfPath, type Draft } from './draft.ts';

/** A draft that the service did not save. */
export interface RejectedDraft {
  readonly draft: Draft;
  /** What is wrong with its e-invoice, in the form of a preview. The previews report the other parts. */
  readonly errors: readonly PreviewError[];
}

/** Returns the errors of a failed save; undefined if they are not about the content. */
export function rejectedDraft(draft: Draft, error: unknown): RejectedDraft | undefined {
  if (!(error instanceof TrifoldError)) return undefined;
  const { code, details } = error;
  const errors = details
    .filter(({ path }) => partOfPath(path) === 'e_invoice')
    .map(({ path, message, line, column }) => ({
      ...{ code, path, message, name: null, part: 'e_invoice' as const, rule: null, term: null },
      line: line ?? null,
      column: column ?? null,
    }));
  return { draft, errors };
}
