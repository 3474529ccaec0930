import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** One place in a request that is wrong. */
export interface ErrorDetail {
  /** JSON Pointer (RFC 6901) into the body, or into the query for query parameters; a missing member is named in it. */
  readonly path: string;
  readonly message: string;
}

export interface ApiErrorOptions {
  /** When it is not the one of the code: a failed generation is 409 on download, 422 where the file was asked for. */
  readonly statusCode?: number;
  readonly details?: readonly ErrorDetail[];
  /** Response headers that belong to the error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body beside the common ones. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A request that is refused: what the caller did, and what to do about it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.statusCode = options.statusCode ?? ERROR_CODES[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }

  /** The same request may succeed later. */
  get retryable(): boolean {
    return this.statusCode === 503 || this.statusCode === 429;
  }
}

/** The service, or something it stands on, is away; the caller is told when to try again. */
export function unavailable(message: string, retryAfterMs = 1000, cause?: unknown): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('unavailable', message, { headers: { 'retry-after': String(seconds) }, cause });
}
