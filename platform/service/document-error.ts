import { isRetryable, type DocumentErrorCode } from './error-codes.ts';
import { TrifoldError } from './trifold-error.ts';

/** Why a document, batch or item failed. JSON: another version of Trifold can have written a code unknown here. */
export interface DocumentFailure {
  readonly code: DocumentErrorCode;
  /** For users: says what to do, contains no document data. */
  readonly message: string;
  /** Whether another attempt can succeed. */
  readonly retryable: boolean;
}

/** Returns the failure with this code; the message must not contain document data. */
export function documentFailure(code: DocumentErrorCode, message: string): DocumentFailure {
  return { code, message, retryable: isRetryable(code) };
}

/** Error of a failed document whose status has none. */
export const UNKNOWN_ERROR = {
  code: 'unknown' satisfies DocumentErrorCode,
  message: 'the document failed, and no reason was recorded',
} as const;

/** A failure that is thrown. */
export class DocumentError extends TrifoldError<DocumentErrorCode> implements DocumentFailure {
  constructor(code: DocumentErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(code, message, { ...options, retryable: isRetryable(code) });
  }
}
