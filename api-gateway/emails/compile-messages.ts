import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import type { CompiledLetter, Letter, LetterPart } from './letter.ts';

/** To a process that compiles emails. */
export interface CompileRequest extends BoundedRequest {
  /** Names the letter by its content; its compiled templates are kept under it. */
  readonly letterKey: string;
  /** Left out at first: the process asks for it when it does not have the letter. */
  readonly letter?: Letter;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Bytes that each part of the email may have. */
  readonly maxBytes: number;
}

export interface CompileFailure {
  readonly code: MergeFailureCode;
  readonly message: string;
  readonly part: LetterPart;
  /** For a part that does not compile. */
  readonly problem?: SyntaxProblem;
}

/** From a process that compiles emails. */
export type CompileReply =
  | { readonly status: 'letter_needed' }
  | { readonly status: 'compiled'; readonly email: CompiledLetter }
  | {
      readonly status: 'failed';
      readonly failure: CompileFailure;
      /** Whether the process can go on. */
      readonly usable: boolean;
    };

/** Also for a process that ran out of memory. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than the limit of ${maxBytes} bytes`;
}
