import type { ProblemPlace } from '@trifold/crds';
import { isRetryable, type DocumentErrorCode } from './error-codes.ts';
import { TrifoldError } from './trifold-error.ts';

/**
 * The reason why a document, batch or item failed. JSON: another version of Trifold may have written a code unknown
 * here.
 */
export interface DocumentFailure {
  readonly code: DocumentErrorCode;
  /** For users: says what to do and contains no document data. */
  readonly message: string;
  /** Whether another attempt can succeed. */
  readonly retryable: boolean;
  /** The failed part and its position, if known. The message also contains the position. */
  readonly place?: FailurePlace | undefined;
}

/** Subject of a failure and its position in the template. */
export type FailurePlace = ProblemPlace & {
  /** Helper that failed. */
  readonly name?: string;
};

/** Returns the failure with this code; the message must not contain document data. */
export function documentFailure(
  code: DocumentErrorCode,
  message: string,
  place?: FailurePlace,
): DocumentFailure {
  return { code, message, retryable: isRetryable(code), ...(place && { place }) };
}

/** Error for a failed document whose status has none. */
export const UNKNOWN_ERROR = {
  code: 'unknown' satisfies DocumentErrorCode,
  message: 'the document failed, and no reason was recorded',
} as const;

interface DocumentErrorOptions {
  readonly cause?: unknown;
  readonly place?: FailurePlace | undefined;
}

/** A throwable failure. */
export class DocumentError extends TrifoldError<DocumentErrorCode> implements DocumentFailure {
  readonly place: FailurePlace | undefined;

  constructor(code: DocumentErrorCode, message: string, options: DocumentErrorOptions = {}) {
    super(code, message, { ...options, retryable: isRetryable(code) });
    this.place = options.place;
  }
}
