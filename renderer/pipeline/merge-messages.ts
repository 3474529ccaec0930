/** What a revision gives to the merge. */
export interface MergeSource {
  readonly html: string;
  readonly css?: string;
}

/** To a merge process. */
export interface MergeRequest {
  /** Names the revision; its compiled template is kept under it. */
  readonly revisionKey: string;
  /** Left out at first: the process asks for it when it does not have the revision. */
  readonly source?: MergeSource;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Bytes the merged html may have. */
  readonly maxBytes: number;
  /** Milliseconds the merge may take. */
  readonly timeoutMs: number;
}

export type MergeFailureCode = 'template_invalid' | 'data_invalid' | 'merge_failed' | 'merge_too_large';

/** From a merge process. `ready` once, at its start. */
export type MergeReply =
  | { readonly status: 'ready' }
  | { readonly status: 'source_needed' }
  | { readonly status: 'merged'; readonly html: string }
  | { readonly status: 'failed'; readonly code: MergeFailureCode; readonly message: string };
