import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';

/** A letter as it is written: everything with bindings but the css. */
export interface Letter {
  readonly subject: string;
  readonly preheader?: string;
  readonly html: string;
  /** Made from the html when it is left out or empty. */
  readonly text?: string;
  readonly css?: string;
}

/** The parts of a letter that have bindings. */
export type LetterPart = 'subject' | 'preheader' | 'html' | 'text';

/** What becomes of a letter and data. */
export interface CompiledLetter {
  /** One line. */
  readonly subject: string;
  /** One line, plain text; empty when the letter has none. */
  readonly preheader: string;
  /** For inboxes. */
  readonly html: string;
  readonly text: string;
}

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
