import type { BoundedRequest } from '@trifold/platform/merging/serve-parent.ts';
import type { MergeFailureCode } from '@trifold/platform/merging/merge-failure.ts';
import type { TemplateSource } from '@trifold/platform/templates/revision.ts';

/** What belongs to a document beside its template, and may come with the request. */
export interface MergeExtras {
  /** In css, stronger than the template's own `@page`. */
  readonly pageRules?: string | undefined;
  /** Content of the header and of the footer, with bindings. */
  readonly header?: string | undefined;
  readonly footer?: string | undefined;
}

/** A document as it is printed. Header and footer have PAGE_TOKENS for the numbers of pages. */
export interface MergedDocument {
  readonly html: string;
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
