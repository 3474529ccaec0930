import type { DocumentWarning } from '@trifold/crds';
import type { LocaleOptions } from '@trifold/platform/templating/locale-options.ts';
import type { FailurePlace } from '@trifold/platform/errors/document-error.ts';
import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';

/** Source of an email template: all parts except the CSS have bindings. */
export interface EmailTemplate {
  readonly subject: string;
  readonly preheader?: string;
  readonly html: string;
  /** Generated from the HTML if absent or empty. */
  readonly text?: string;
  readonly css?: string;
}

/** The parts of an email template that have bindings. */
export type EmailPart = 'subject' | 'preheader' | 'html' | 'text';

/** Result of merging an email template with data. */
export interface CompiledEmail {
  /** One line. */
  readonly subject: string;
  /** One line, plain text; empty when the email template has none. */
  readonly preheader: string;
  /** HTML for inboxes. */
  readonly html: string;
  readonly text: string;
  readonly warnings: readonly DocumentWarning[];
}

export interface CompileRequest extends BoundedRequest {
  /** Identifies the email template by its content; the process caches compiled templates under this key. */
  readonly templateKey: string;
  /** Absent at first: the process requests it if the template is not in its cache. */
  readonly source?: EmailTemplate;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Defaults of the helpers. */
  readonly locale?: LocaleOptions | undefined;
  /** Whether to warn about values that may not print as intended. @default false */
  readonly looksAtValues?: boolean;
  /** Maximum size of each email part in bytes. */
  readonly maxBytes: number;
}

export interface CompileFailure {
  readonly code: MergeFailureCode;
  readonly message: string;
  readonly part: EmailPart;
  /** Set for a part that does not compile. */
  readonly problem?: SyntaxProblem | undefined;
  /** Position of the helper call that failed. */
  readonly place?: FailurePlace | undefined;
}

/** Reply from a process that compiles emails. */
export type CompileReply =
  | { readonly status: 'template_needed' }
  | { readonly status: 'compiled'; readonly email: CompiledEmail }
  | {
      readonly status: 'failed';
      readonly failure: CompileFailure;
      /** Whether the process can compile further emails. */
      readonly usable: boolean;
    };

/** Message for an email over the limit, also used when a process runs out of memory. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than the limit of ${maxBytes} bytes`;
}
