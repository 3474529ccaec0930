import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { DocumentRules } from '@trifold/platform/templating/merge/template-compiler.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { SelfContainedOptions } from '../formats/self-contained-html.ts';

/** What belongs to a document beside its template: options of the request, and what its format adds. */
export interface MergeExtras extends DocumentRules {
  /** Asks for the preamble of a file of its own. */
  readonly selfContained?: SelfContainedOptions | undefined;
  /** Content of the header and of the footer, with bindings. */
  readonly header?: string | undefined;
  readonly footer?: string | undefined;
}

/** A merged document. */
export interface MergedDocument {
  readonly html: string;
  /** Goes before the html of a self-contained file. */
  readonly preamble?: string;
  /** Nothing is left open in them. They have PAGE_TOKENS for the numbers of pages. */
  readonly header?: string;
  readonly footer?: string;
}

/** To a merge process. */
export interface MergeRequest extends BoundedRequest {
  /** Names the revision; its compiled template is kept under it. */
  readonly revisionKey: string;
  /** Left out at first: the process asks for it when it does not have the revision. */
  readonly source?: TemplateSource;
  readonly extras?: MergeExtras | undefined;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Bytes the merged html may have. */
  readonly maxBytes: number;
}

/** From a merge process. */
export type MergeReply =
  | { readonly status: 'source_needed' }
  | ({ readonly status: 'merged' } & MergedDocument)
  | { readonly status: 'failed'; readonly code: MergeFailureCode; readonly message: string };
