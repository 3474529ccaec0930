import { TrifoldError, type PreviewError } from '@trifold/client';
import { partOfPath, type Draft } from './draft.ts';

/** A draft that the service did not save. */
export interface RejectedDraft {
  readonly draft: Draft;
  /** Problems with its e-invoice, in the form that previews use. Previews report problems with the other parts. */
  readonly errors: readonly PreviewError[];
}

const NOWHERE = { name: null, part: 'e_invoice', rule: null, term: null } as const;

/** Returns the errors of a failed save; undefined if they are not about the content. */
export function rejectedDraft(draft: Draft, error: unknown): RejectedDraft | undefined {
  if (!(error instanceof TrifoldError)) return undefined;
  const { code, details } = error;
  const errors = details
    .filter(({ path }) => partOfPath(path) === 'e_invoice')
    .map(({ path, message, line, column }) => ({
      ...NOWHERE,
      code,
      path,
      message,
      line: line ?? null,
      column: column ?? null,
    }));
  return { draft, errors };
}
