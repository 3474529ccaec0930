import type { DocumentWarning } from '@trifold/crds';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import type { MergeFailureCode } from '@trifold/platform/templating/merge/merge-failure.ts';
import type { LocaleOptions } from '@trifold/platform/templating/locale-options.ts';
import type { DocumentRules } from '@trifold/platform/templating/merge/template-compiler.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { SelfContainedOptions } from '../formats/self-contained-html.ts';

/** Input of a document in addition to its template: options of the request, and additions of its format. */
export interface MergeExtras extends DocumentRules, LocaleOptions {
  /** Requests the preamble of a self-contained file. */
  readonly selfContained?: SelfContainedOptions | undefined;
  /** Content of the header and footer, with bindings. */
  readonly header?: string | undefined;
  readonly footer?: string | undefined;
}

/** A merged document. */
export interface MergedDocument {
  readonly html: string;
  /** Precedes the HTML of a self-contained file. */
  readonly preamble?: string;
  /** All their elements are closed. PAGE_TOKENS stand for the page numbers. */
  readonly header?: string;
  readonly footer?: string;
  /** Scripts that the document, its header and its footer use (usedScripts); absent without any. */
  readonly scripts?: readonly string[];
  /** Pixels of the embedded images; absent without any, and for self-contained files. */
  readonly imagePixels?: number;
  /** One for each binding that the data does not have; absent without any. */
  readonly warnings?: readonly DocumentWarning[];
}

/** Message to a merge process. */
export interface MergeRequest extends BoundedRequest {
  /** Identifies the revision; cache key of its compiled template. */
  readonly revisionKey: string;
  /** Omitted at first; the process requests it when the revision is not cached. */
  readonly source?: TemplateSource;
  readonly extras?: MergeExtras | undefined;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Maximum bytes of the merged HTML. */
  readonly maxBytes: number;
}

/** Message from a merge process. */
export type MergeReply =
  | { readonly status: 'source_needed' }
  | ({ readonly status: 'merged' } & MergedDocument)
  | {
      readonly status: 'failed';
      readonly code: MergeFailureCode | 'image_too_large';
      readonly message: string;
    };
