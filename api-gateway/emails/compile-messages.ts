import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';

/** An email template as it is written: everything with bindings but the css. */
export interface EmailTemplate {
  readonly subject: string;
  readonly preheader?: string;
  readonly html: string;
  /** Made from the html when it is left out or empty. */
  readonly text?: string;
  readonly css?: string;
}

/** The parts of an email template that have bindings. */
export type EmailPart = 'subject' | 'preheader' | 'html' | 'text';

/** What becomes of an email template and data. */
export interface CompiledEmail {
  /** One line. */
  readonly subject: string;
  /** One line, plain text; empty when the email template has none. */
  readonly preheader: string;
  /** For inboxes. */
  readonly html: string;
  readonly text: string;
}

/** To a process that compiles emails. */
export interface CompileRequest extends BoundedRequest {
  /** Names the email template by its content; its compiled templates are kept under it. */
  readonly templateKey: string;
  /** Left out at first: the process asks for it when it does not have the email template. */
  readonly source?: EmailTemplate;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Bytes that each part of the email may have. */
  readonly maxBytes: number;
}

export interface CompileFailure {
  readonly code: MergeFailureCode;
  readonly message: string;
  readonly part: EmailPart;
  /** For a part that does not compile. */
  readonly problem?: SyntaxProblem;
}

/** From a process that compiles emails. */
export type CompileReply =
  | { readonly status: 'template_needed' }
  | { readonly status: 'compiled'; readonly email: CompiledEmail }
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
