import type { SyntaxProblem } from '../syntax/syntax.ts';

/** Why a merge comes to nothing: codes for programs, the same for documents and for emails. */
export type MergeFailureCode = 'template_invalid' | 'data_invalid' | 'merge_failed' | 'merge_too_large';

/** A merge that failed for a reason of the template's or the data's own. The message holds no data. */
export class MergeFailure extends Error {
  override readonly name = 'MergeFailure';
  readonly code: MergeFailureCode;
  /** Where and why the template does not compile, for `template_invalid`. */
  readonly problem: SyntaxProblem | undefined;

  constructor(code: MergeFailureCode, message: string, problem?: SyntaxProblem) {
    super(message);
    this.code = code;
    this.problem = problem;
  }
}

/** Whatever a merge threw, as a failure. `tooLarge` is the message for a text longer than there can be. */
export function mergeFailureOf(error: unknown, tooLarge: string): MergeFailure {
  if (error instanceof MergeFailure) return error;
  if (!(error instanceof Error)) return new MergeFailure('merge_failed', 'the template failed');
  if (/invalid string length/i.test(error.message)) return new MergeFailure('merge_too_large', tooLarge);
  if (error instanceof RangeError) {
    return new MergeFailure('merge_failed', 'the template nests too deep: a partial calls itself, perhaps');
  }
  if (error.message.startsWith('The partial ')) {
    return new MergeFailure('merge_failed', 'the template calls a partial that is not defined');
  }
  return new MergeFailure('merge_failed', 'the template failed when it was merged with the data');
}
