import type { SyntaxProblem } from '../syntax/syntax.ts';

/** Reason why a merge failed, the same codes for documents and emails. */
export type MergeFailureCode = 'template_invalid' | 'data_invalid' | 'merge_failed' | 'merge_too_large';

/** A merge that failed because of the template or the data. The message contains no data. */
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

/** Converts anything that a merge threw. `tooLarge` is the message for a text longer than the maximum string length. */
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
