import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { ERROR_CODES, isRetryable, type RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';

/** One problem in a request. */
export interface ErrorDetail {
  /**
   * JSON Pointer (RFC 6901) into the body, or into the query for query parameters; includes the name of a missing
   * field.
   */
  readonly path: string;
  readonly message: string;
  /** The helper, block or partial that caused the problem. */
  readonly name?: string;
  /** Position in the string at `path`, starting at 1. */
  readonly line?: number;
  readonly column?: number;
  /** Rule that an e-invoice breaks, and the business term that breaks it. */
  readonly rule?: string;
  readonly term?: string;
}

export interface ApiErrorOptions {
  /** Overrides the code's status: a failed generation is 409 on download, and 422 if the request asked for the file. */
  readonly statusCode?: number;
  readonly details?: readonly ErrorDetail[];
  /** Response headers of the error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional fields in the body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Rejection of a request. The message says what the caller did wrong and how to fix it. */
export class ApiError extends TrifoldError<RequestErrorCode> {
  readonly statusCode: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: RequestErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(code, message, { retryable: isRetryable(code), cause: options.cause });
    this.statusCode = options.statusCode ?? ERROR_CODES[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
}

/** 503: the service or a dependency is unavailable. The response tells the caller when to try again. */
export function unavailable(message: string, retryAfterMs = 1000, cause?: unknown): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('unavailable', message, { headers: { 'retry-after': String(seconds) }, cause });
}

/** 401: the request carries no valid credential. `WWW-Authenticate` names the accepted one: a key. */
export function unauthenticated(code: RequestErrorCode, message: string): ApiError {
  return new ApiError(code, message, { headers: { 'www-authenticate': 'Bearer realm="trifold"' } });
}
