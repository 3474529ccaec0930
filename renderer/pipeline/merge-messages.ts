import type { BoundedRequest } from '@trifold/platform/merging/serve-parent.ts';
import type { MergeFailureCode } from '@trifold/platform/merging/merge-failure.ts';
import type { TemplateSource } from '@trifold/platform/templates/revision.ts';

/** To a merge process. */
export interface MergeRequest extends BoundedRequest {
  /** Names the revision; its compiled template is kept under it. */
  readonly revisionKey: string;
  /** Left out at first: the process asks for it when it does not have the revision. */
  readonly source?: TemplateSource;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Bytes the merged html may have. */
  readonly maxBytes: number;
}

/** From a merge process. */
export type MergeReply =
  | { readonly status: 'source_needed' }
  | { readonly status: 'merged'; readonly html: string }
  | { readonly status: 'failed'; readonly code: MergeFailureCode; readonly message: string };
